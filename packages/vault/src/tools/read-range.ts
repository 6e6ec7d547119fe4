import { pluralize, describeBinary, readLineRange, formatBytes } from '../vault/index.ts';
import type { TextFile } from '../search/index.ts';
import type { LineRange } from '../vault/index.ts';
import type { TextBlock } from './result-builder.ts';

/** Reads a range of lines as a block, clipped to the end of the file; a string is the reason for a failure. */
export async function readRange(file: TextFile, range: LineRange): Promise<TextBlock | string> {
  const { path, source, extracted } = file;
  const measure = await file.measure();
  if (measure === null) return `it is ${describeBinary(await source.read(0, 4096))} and has no lines`;
  const { revision, lines: totalLines, tokens } = measure;
  if (range.start > totalLines)
    return `it has only ${pluralize(totalLines, 'line')}, so there is no line ${range.start}`;
  const body = await readLineRange(source, range.start, range.end);
  if (body.kind === 'too-large')
    return `these lines are ${formatBytes(body.bytes)}, over 20 MB; request fewer lines`;
  if (body.kind !== 'lines') return 'the file changed while it was being read; try again';
  return { path, revision, totalLines, tokens, body, keep: 'start', isRange: true, extracted };
}

/** Formats a range as the suffix of a path: `9-14`, or `9-` to the end. */
export function formatLineRange({ start, end }: LineRange): string {
  return `${start}-${end === Infinity ? '' : end}`;
}

export const imageHasNoLinesMessage = 'it is an image; omit the line range';
