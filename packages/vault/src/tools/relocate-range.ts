import { formatBytes, readAllLines } from '../vault/index.ts';
import type { TextFile } from '../search/index.ts';
import type { LineRange } from '../vault/index.ts';
import { locateLines } from './locate-lines.ts';
import type { ShownLines } from './shown-lines.ts';

/**
 * Returns the current position of a range whose numbers refer to the file as it was shown. If the file has changed
 * since, the lines are located by their text. Lines that were never shown keep their numbers. Returns a string with the
 * reason if the lines cannot be located.
 */
export async function relocateRange(
  file: TextFile,
  range: LineRange,
  shown: ShownLines,
): Promise<LineRange | string> {
  const measure = await file.measure();
  if (measure === null) return range;
  const previous = shown.previousText(file.path, measure.revision, range);
  if (previous === null) return range;
  const current = await readAllLines(file.source);
  if (current.kind === 'too-large')
    return `${changedSinceShown}, and at ${formatBytes(current.bytes)} it is too large to search for them; read them again`;
  const found = locateLines(current.kind === 'lines' ? current.lines : [], previous, range.start);
  switch (found.kind) {
    case 'same':
      return range;
    case 'moved': {
      const by = found.first - range.start;
      return { start: range.start + by, end: range.end + by };
    }
    case 'ambiguous':
      return `${changedSinceShown}, and they now occur several times; read it again`;
    case 'missing':
      return `${changedSinceShown}, and it no longer contains them; read it again`;
  }
}

const changedSinceShown = 'the file changed after these lines were shown';
