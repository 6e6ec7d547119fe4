/** Lines from `start` (inclusive) to `end` (exclusive), counted from 0. */
type LineSpan = { start: number; end: number };

/** A replacement of lines; one of the two spans may be empty. */
export type Edit = { old: LineSpan; new: LineSpan };

/** The lines of a text as ids; equal lines have equal ids. */
export type LineIds = Int32Array;

/** A region of both texts that has not been compared yet. */
type EditRegion = { oldStart: number; oldEnd: number; newStart: number; newEnd: number };

/** The maximum work, in lines times differences, and the number of search rounds that are always allowed. */
const maxDiffWork = 8_000_000;
const minDiffRounds = 64;

/** V8 hashes longer strings by their length alone, so a map with many of them would degrade to linear lookups. */
const maxHashedKeyCharacters = 8_192;

/** Assigns an id to every distinct line over all texts, so that comparing two lines is an integer comparison. */
export function internLines(...texts: (readonly string[])[]): LineIds[] {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  /** A long line is identified by the ids of its pieces. The leading line break keeps the key distinct from any real line. */
  const keyOf = (line: string): string => {
    if (line.length <= maxHashedKeyCharacters) return line;
    const pieces: number[] = [];
    for (let at = 0; at < line.length; at += maxHashedKeyCharacters)
      pieces.push(numberOf(line.slice(at, at + maxHashedKeyCharacters)));
    return `\n${pieces.join(' ')}`;
  };
  return texts.map((lines) => {
    const numbered = new Int32Array(lines.length);
    for (const [index, line] of lines.entries()) numbered[index] = numberOf(keyOf(line));
    return numbered;
  });
}

/**
 * Computes the edits from one text to the other, in order. The result is minimal unless it is marked as approximate, which
 * happens when long stretches have little in common. Time is linear in the number of lines, however often they repeat.
 */
export function diffLines(oldLines: LineIds, newLines: LineIds): { edits: Edit[]; isApproximate: boolean } {
  const [isOld, isNew] = [new Uint8Array(oldLines.length), new Uint8Array(newLines.length)];
  const isApproximate = markChangedLines(oldLines, newLines, isOld, isNew);
  slideHunksDown(oldLines, isOld, isNew);
  slideHunksDown(newLines, isNew, isOld);
  return { edits: collectEdits(isOld, isNew), isApproximate };
}

/**
 * Marks the removed lines of the old text and the added lines of the new one. The unmarked lines are equal and in the
 * same order.
 */
function markChangedLines(
  oldLines: LineIds,
  newLines: LineIds,
  isOld: Uint8Array,
  isNew: Uint8Array,
): boolean {
  const whole = trim(oldLines, newLines, {
    oldStart: 0,
    oldEnd: oldLines.length,
    newStart: 0,
    newEnd: newLines.length,
  });
  // Lines that the other text does not contain are differences anyway; excluding them leaves few lines to compare.
  const [oldSpan, newSpan] = [
    { start: whole.oldStart, end: whole.oldEnd },
    { start: whole.newStart, end: whole.newEnd },
  ];
  const oldPlaces = indexCommonLines(oldLines, oldSpan, newLines.subarray(newSpan.start, newSpan.end), isOld);
  const newPlaces = indexCommonLines(newLines, newSpan, oldLines.subarray(oldSpan.start, oldSpan.end), isNew);
  const [a, b] = [
    oldPlaces.map((place) => oldLines[place] ?? 0),
    newPlaces.map((place) => newLines[place] ?? 0),
  ];
  const findSplit = createSplitter(a, b);
  const boxes: EditRegion[] = [{ oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length }];
  let isApproximate = false;
  for (let next = boxes.pop(); next !== undefined; next = boxes.pop()) {
    const box = trim(a, b, next);
    const { oldStart, oldEnd, newStart, newEnd } = box;
    if (oldStart === oldEnd) mark(isNew, newPlaces, newStart, newEnd);
    else if (newStart === newEnd) mark(isOld, oldPlaces, oldStart, oldEnd);
    else {
      const split = findSplit(box);
      isApproximate ||= split.isApproximate;
      boxes.push({ ...box, oldEnd: split.old, newEnd: split.new });
      boxes.push({ ...box, oldStart: split.old, newStart: split.new });
    }
  }
  return isApproximate;
}

function mark(marks: Uint8Array, places: Int32Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) marks[places[at] ?? 0] = 1;
}

/** Strips the common prefix and suffix from a region. */
function trim(oldLines: LineIds, newLines: LineIds, box: EditRegion): EditRegion {
  let { oldStart, oldEnd, newStart, newEnd } = box;
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldStart] === newLines[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Returns the indices of the lines that the other text contains, and marks the rest as changed. */
function indexCommonLines(
  lines: LineIds,
  { start, end }: LineSpan,
  others: LineIds,
  marks: Uint8Array,
): Int32Array {
  const known = new Set(others);
  const places: number[] = [];
  for (let at = start; at < end; at += 1) {
    if (known.has(lines[at] ?? 0)) places.push(at);
    else marks[at] = 1;
  }
  return Int32Array.from(places);
}

type SplitPoint = { old: number; new: number; isApproximate: boolean };

/**
 * Finds a point on a shortest edit path of a region, by searching from both ends until the two searches meet (Myers, "An O(ND)
 * Difference Algorithm and Its Variations", 1986). After `limit` rounds it returns the furthest point reached instead.
 */
function createSplitter(a: LineIds, b: LineIds): (box: EditRegion) => SplitPoint {
  const size = a.length + b.length + 3;
  const limit = Math.max(minDiffRounds, Math.floor(maxDiffWork / size));
  // The furthest index in `a` reached on each diagonal (index in `a` minus index in `b`), from the start and from the end.
  const [forward, backward] = [new Int32Array(size), new Int32Array(size)];
  const zero = b.length + 1;
  const none = a.length + b.length + 1;

  return ({ oldStart, oldEnd, newStart, newEnd }) => {
    const [lowest, highest] = [oldStart - newEnd, oldEnd - newStart];
    const [first, last] = [oldStart - newStart, oldEnd - newEnd];
    const isOdd = ((first - last) & 1) !== 0;
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [first, first, last, last];
    forward[zero + first] = oldStart;
    backward[zero + last] = oldEnd;
    for (let round = 1; ; round += 1) {
      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
      else forwardLow += 1;
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
      else forwardHigh -= 1;
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const at = zero + diagonal;
        const [left, right] = [forward[at - 1] ?? 0, forward[at + 1] ?? 0];
        let x = left >= right ? left + 1 : right;
        let y = x - diagonal;
        while (x < oldEnd && y < newEnd && a[x] === b[y]) {
          x += 1;
          y += 1;
        }
        forward[at] = x;
        if (isOdd && diagonal >= backwardLow && diagonal <= backwardHigh && (backward[at] ?? 0) <= x)
          return { old: x, new: y, isApproximate: false };
      }
      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = none;
      else backwardLow += 1;
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = none;
      else backwardHigh -= 1;
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const at = zero + diagonal;
        const [left, right] = [backward[at - 1] ?? 0, backward[at + 1] ?? 0];
        let x = left < right ? left : right - 1;
        let y = x - diagonal;
        while (x > oldStart && y > newStart && a[x - 1] === b[y - 1]) {
          x -= 1;
          y -= 1;
        }
        backward[at] = x;
        if (!isOdd && diagonal >= forwardLow && diagonal <= forwardHigh && x <= (forward[at] ?? 0))
          return { old: x, new: y, isApproximate: false };
      }
      if (round >= limit) return furthestPoint();
    }

    /** The furthest point reached by either search. */
    function furthestPoint(): SplitPoint {
      let best = { old: oldStart, new: newStart, isApproximate: true };
      let most = -1;
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const x = Math.min(forward[zero + diagonal] ?? 0, oldEnd, newEnd + diagonal);
        const gone = x - oldStart + (x - diagonal - newStart);
        if (gone > most) [most, best] = [gone, { old: x, new: x - diagonal, isApproximate: true }];
      }
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const x = Math.max(backward[zero + diagonal] ?? 0, oldStart, newStart + diagonal);
        const gone = oldEnd - x + (newEnd - (x - diagonal));
        if (gone > most) [most, best] = [gone, { old: x, new: x - diagonal, isApproximate: true }];
      }
      return best;
    }
  };
}

/**
 * Moves each inserted or removed run to its last possible position. Next to equal lines any position is valid, but two
 * comparisons of the same change have to agree.
 */
function slideHunksDown(lines: LineIds, marks: Uint8Array, otherMarks: Uint8Array): void {
  let other = 0;
  for (let start = 0; start < lines.length; start += 1) {
    if (marks[start] === 0) {
      // Skip past the matching line of the other text.
      while (otherMarks[other] === 1) other += 1;
      other += 1;
      continue;
    }
    let end = start;
    while (marks[end] === 1) end += 1;
    // Lines that replace others are not moved.
    while (otherMarks[other] !== 1 && end < lines.length && marks[end] === 0 && lines[start] === lines[end]) {
      marks[start++] = 0;
      marks[end++] = 1;
      other += 1;
    }
    while (marks[end] === 1) end += 1;
    start = end - 1;
  }
}

function collectEdits(isOld: Uint8Array, isNew: Uint8Array): Edit[] {
  const edits: Edit[] = [];
  let [o, n] = [0, 0];
  while (o < isOld.length || n < isNew.length) {
    if (isOld[o] === 1 || isNew[n] === 1) {
      const [oldStart, newStart] = [o, n];
      while (isOld[o] === 1) o += 1;
      while (isNew[n] === 1) n += 1;
      edits.push({ old: { start: oldStart, end: o }, new: { start: newStart, end: n } });
    } else {
      o += 1;
      n += 1;
    }
  }
  return edits;
}
