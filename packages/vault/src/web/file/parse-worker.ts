import { loadPlugins, parseNote, requiredPlugins } from './parse-note.ts';
import type { NoteSource, ParsedNote } from './parse-note.ts';

/** Some blocks of a parsed note. With `isFirst`, they replace those that were sent before. */
export type ParsedNoteMessage = ParsedNote & { isFirst: boolean };

/** How many lines are parsed first, so that they can be shown while the rest is parsed. */
const initialLines = 200;
/** How many blocks are sent at once. Receiving more would block the page. */
const blocksPerMessage = 8;

const send = (part: ParsedNoteMessage): void => postMessage(part);

addEventListener('message', ({ data }: MessageEvent<NoteSource>) => void parse(data));

async function parse(note: NoteSource): Promise<void> {
  const parts = await loadPlugins(requiredPlugins(note.body));
  const head = parseNote({ ...note, body: leadingPart(note.body) }, parts);
  send({ ...head, isFirst: true, isComplete: false });
  const { blocks, headings } = parseNote(note, parts);
  for (let at = 0; at < blocks.length; at += blocksPerMessage) {
    const isComplete = at + blocksPerMessage >= blocks.length;
    send({
      blocks: blocks.slice(at, at + blocksPerMessage),
      headings: at === 0 ? headings : [],
      isFirst: at === 0,
      isComplete,
    });
  }
}

/** The start of the text up to a blank line. It does not end inside of a code block, because half a diagram cannot be rendered. */
function leadingPart(body: string): string {
  const lines = body.split('\n');
  const blank = lines.findIndex((line, at) => at >= initialLines && line.trim() === '');
  const first = lines.slice(0, blank < 0 || blank > 2 * initialLines ? initialLines : blank);
  const fences = first.flatMap((line, at) => (/^\s*(?:```|~~~)/.test(line) ? [at] : []));
  return first.slice(0, fences.length % 2 === 1 ? fences.at(-1) : undefined).join('\n');
}
