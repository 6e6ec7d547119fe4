import { useEffect, useMemo, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { loadParts, parseNote, partsNeeded } from './parse-note.ts';
import type { NoteText, ParsedNote } from './parse-note.ts';
import type { ParsedPart } from './parse-worker.ts';

/** Longer texts are read beside the page, so that it never stands still. */
const longest = 20_000;

/** What a text has become; null until then. What was there before stays until all of it has come. */
export function useParsedNote({ body, skipped, isPlain }: Omit<NoteText, 'words'>): ParsedNote | null {
  const { file } = useText();
  const words = useMemo(() => ({ footnotes: file.footnotes, callouts: file.callouts }), [file]);
  const note = useMemo(() => ({ body, skipped, isPlain, words }), [body, skipped, isPlain, words]);
  const needed = useMemo(() => partsNeeded(body), [body]);
  const isShort = body.length <= longest;
  const atOnce = useMemo(
    () => (isShort && needed.length === 0 ? parseNote(note) : null),
    [isShort, needed, note],
  );
  const [later, setLater] = useState<ParsedNote | null>(null);
  useEffect(() => {
    if (atOnce !== null) return;
    if (!isShort) return parseBeside(note, setLater);
    let isWanted = true;
    void loadParts(needed).then((parts) => isWanted && setLater(parseNote(note, parts)));
    return () => void (isWanted = false);
  }, [atOnce, isShort, needed, note]);
  return atOnce ?? later;
}

/** Shows the beginning as soon as it is there, then all of it as it comes. What was shown before stays until then. */
function parseBeside(note: NoteText, show: (change: (before: ParsedNote | null) => ParsedNote) => void) {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' });
  let present: ParsedNote = { chunks: [], headings: [], isWhole: false };
  worker.addEventListener('message', ({ data }: MessageEvent<ParsedPart>) => {
    const { isFirst, isWhole } = data;
    present = isFirst ? data : { ...present, chunks: [...present.chunks, ...data.chunks], isWhole };
    const all = present;
    show((before) => (before?.isWhole === true && !isWhole ? before : all));
    if (isWhole) worker.terminate();
  });
  worker.postMessage(note);
  return () => worker.terminate();
}
