import { useEffect, useMemo, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { loadPlugins, parseNote, requiredPlugins } from './parse-note.ts';
import type { NoteSource, ParsedNote } from './parse-note.ts';
import type { ParsedNoteMessage } from './parse-worker.ts';

/** Longer texts are parsed in a worker, so that the page stays responsive. */
const maxSyncParseCharacters = 20_000;

/** The parsed note; null until it is available. The previous result stays until the new one is complete. */
export function useParsedNote({
  body,
  lineOffset,
  isPlain,
  isPassage = isPlain,
}: Omit<NoteSource, 'labels'>): ParsedNote | null {
  const { file } = useText();
  const labels = useMemo(() => ({ footnotes: file.footnotes, callouts: file.callouts }), [file]);
  const note = useMemo(
    () => ({ body, lineOffset, isPlain, isPassage, labels }),
    [body, lineOffset, isPlain, isPassage, labels],
  );
  const needed = useMemo(() => requiredPlugins(body), [body]);
  const isShort = body.length <= maxSyncParseCharacters;
  const parsedNow = useMemo(
    () => (isShort && needed.length === 0 ? parseNote(note) : null),
    [isShort, needed, note],
  );
  const [parsedLater, setParsedLater] = useState<ParsedNote | null>(null);
  useEffect(() => {
    if (parsedNow !== null) return;
    if (!isShort) return parseInWorker(note, setParsedLater);
    let isCurrent = true;
    void loadPlugins(needed).then((parts) => isCurrent && setParsedLater(parseNote(note, parts)));
    return () => void (isCurrent = false);
  }, [parsedNow, isShort, needed, note]);
  return parsedNow ?? parsedLater;
}

/** Parses a note in a worker and shows its blocks as they arrive. A complete previous result stays until the new one is complete. */
function parseInWorker(note: NoteSource, show: (change: (before: ParsedNote | null) => ParsedNote) => void) {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' });
  let present: ParsedNote = { blocks: [], headings: [], isComplete: false };
  worker.addEventListener('message', ({ data }: MessageEvent<ParsedNoteMessage>) => {
    const { isFirst, isComplete } = data;
    present = isFirst ? data : { ...present, blocks: [...present.blocks, ...data.blocks], isComplete };
    const all = present;
    show((before) => (before?.isComplete === true && !isComplete ? before : all));
    if (isComplete) worker.terminate();
  });
  worker.postMessage(note);
  return () => worker.terminate();
}
