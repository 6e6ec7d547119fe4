import { count, describeBinary, rangeLines, showBytes } from '../vault/index.ts';
import type { LineRange, ViewedFile } from '../vault/index.ts';
import type { TextBlock } from './assembly.ts';

/** Lines of a text file as a block, as many of them as there are; or why there is none. */
export async function takeRange(file: ViewedFile, range: LineRange): Promise<TextBlock | string> {
  const { path, source } = file;
  const measure = await file.measure();
  if (measure === null) return `it is ${describeBinary(await source.read(0, 4096))} and has no lines`;
  const { revision, lines: totalLines, tokens } = measure;
  if (range.start > totalLines)
    return `it has only ${count(totalLines, 'line')}, so there is no line ${range.start}`;
  const body = await rangeLines(source, range.start, range.end);
  if (body.kind === 'too-large') return `these lines are ${showBytes(body.bytes)}, over 20 MB; name fewer`;
  if (body.kind !== 'lines') return 'it changed while it was being read; try again';
  return { path, revision, totalLines, tokens, body, keep: 'start', isRange: true };
}

/** As a path carries it. */
export function showRange({ start, end }: LineRange): string {
  return `${start}-${end === Infinity ? '' : end}`;
}

export const imageHasNoLines = 'it is an image; leave out its lines';
