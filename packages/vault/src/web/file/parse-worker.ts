import { loadParts, parseNote, partsNeeded } from './parse-note.ts';
import type { NoteText, ParsedNote } from './parse-note.ts';

/** A part of what became of the text; `isFirst` begins anew. */
export type ParsedPart = ParsedNote & { isFirst: boolean };

/** What is shown while the rest is being read. */
const firstLines = 200;
/** Sent at once: taking it in must not keep the page waiting. */
const portion = 8;

const send = (part: ParsedPart): void => postMessage(part);

addEventListener('message', ({ data }: MessageEvent<NoteText>) => void parse(data));

async function parse(note: NoteText): Promise<void> {
  const parts = await loadParts(partsNeeded(note.body));
  const head = parseNote({ ...note, body: firstPart(note.body) }, parts);
  send({ ...head, isFirst: true, isWhole: false });
  const { chunks, headings } = parseNote(note, parts);
  for (let at = 0; at < chunks.length; at += portion) {
    const isWhole = at + portion >= chunks.length;
    send({
      chunks: chunks.slice(at, at + portion),
      headings: at === 0 ? headings : [],
      isFirst: at === 0,
      isWhole,
    });
  }
}

/** Up to a blank line, and not within a fence: a diagram that is cut in two is none. */
function firstPart(body: string): string {
  const lines = body.split('\n');
  const blank = lines.findIndex((line, at) => at >= firstLines && line.trim() === '');
  const first = lines.slice(0, blank < 0 || blank > 2 * firstLines ? firstLines : blank);
  const fences = first.flatMap((line, at) => (/^\s*(?:```|~~~)/.test(line) ? [at] : []));
  return first.slice(0, fences.length % 2 === 1 ? fences.at(-1) : undefined).join('\n');
}
