import { showBytes, wholeLines } from '../vault/index.ts';
import type { LineRange, ViewedFile } from '../vault/index.ts';
import { findLines } from './find-lines.ts';
import type { Shown } from './shown.ts';

/**
 * Where a range is now. Its numbers are those of the file as it was shown: if it was another one then, the lines are
 * looked for by their text. Lines that were never shown are taken as they are. A string says why there is no such place.
 */
export async function followLines(
  file: ViewedFile,
  range: LineRange,
  shown: Shown,
): Promise<LineRange | string> {
  const measure = await file.measure();
  if (measure === null) return range;
  const wanted = shown.earlier(file.path, measure.revision, range);
  if (wanted === null) return range;
  const present = await wholeLines(file.source);
  if (present.kind === 'too-large')
    return `${changedSince}, and it is ${showBytes(present.bytes)}, too large to look for them; read them again`;
  const found = findLines(present.kind === 'lines' ? present.lines : [], wanted, range.start);
  switch (found.kind) {
    case 'same':
      return range;
    case 'moved': {
      const by = found.first - range.start;
      return { start: range.start + by, end: range.end + by };
    }
    case 'several':
      return `${changedSince}, and they stand at several places now; read it again`;
    case 'gone':
      return `${changedSince}, and they are not in it any more; read it again`;
  }
}

const changedSince = 'it changed after these lines were shown';
