/** Lines from `start` up to, but not with, `end`, counted from 0. */
type Span = { start: number; end: number };

/** Lines that are others now; one of the two spans may be empty. */
export type Edit = { old: Span; new: Span };

/** The lines of a text as numbers: equal lines have the same one. */
export type NumberedText = Int32Array;

/** A part of both texts that is still to be compared. */
type Box = { oldStart: number; oldEnd: number; newStart: number; newEnd: number };

/** How much is looked at, as lines times differences; and how many differences in one place are always counted out. */
const mostWork = 8_000_000;
const leastDifferences = 64;

/** Longer strings are hashed by their length alone, so that a map of many would compare each with all others. */
const longestKey = 8_192;

/** Gives every line a number, the same over all these texts, so that comparing two of them costs next to nothing. */
export function numberLines(...texts: (readonly string[])[]): NumberedText[] {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  /** A long line is known by its pieces; nothing follows a line break in a line, so this is no line. */
  const keyOf = (line: string): string => {
    if (line.length <= longestKey) return line;
    const pieces: number[] = [];
    for (let at = 0; at < line.length; at += longestKey)
      pieces.push(numberOf(line.slice(at, at + longestKey)));
    return `\n${pieces.join(' ')}`;
  };
  return texts.map((lines) => {
    const numbered = new Int32Array(lines.length);
    for (const [index, line] of lines.entries()) numbered[index] = numberOf(keyOf(line));
    return numbered;
  });
}

/**
 * What to replace in `old` to get `fresh`, in order. The edits always lead from the one to the other. They are the fewest there
 * are, unless the texts have little in common over a long stretch: then `isRough`. The time grows with the lines, and
 * not with how often they repeat or how much was changed.
 */
export function compareLines(old: NumberedText, fresh: NumberedText): { edits: Edit[]; isRough: boolean } {
  const [isOld, isNew] = [new Uint8Array(old.length), new Uint8Array(fresh.length)];
  const isRough = markDifferences(old, fresh, isOld, isNew);
  slideDown(old, isOld, isNew);
  slideDown(fresh, isNew, isOld);
  return { edits: editsOf(isOld, isNew), isRough };
}

/** Marks the lines that are only in the one or only in the other text. All that is not marked is the same, in order. */
function markDifferences(
  old: NumberedText,
  fresh: NumberedText,
  isOld: Uint8Array,
  isNew: Uint8Array,
): boolean {
  const whole = trim(old, fresh, { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length });
  // A line that the other text does not have is a difference anyway; without those, few are left to be compared.
  const [oldSpan, newSpan] = [
    { start: whole.oldStart, end: whole.oldEnd },
    { start: whole.newStart, end: whole.newEnd },
  ];
  const oldPlaces = placesInBoth(old, oldSpan, fresh.subarray(newSpan.start, newSpan.end), isOld);
  const newPlaces = placesInBoth(fresh, newSpan, old.subarray(oldSpan.start, oldSpan.end), isNew);
  const [a, b] = [oldPlaces.map((place) => old[place] ?? 0), newPlaces.map((place) => fresh[place] ?? 0)];
  const findSplit = createSplitter(a, b);
  const boxes: Box[] = [{ oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length }];
  let isRough = false;
  for (let next = boxes.pop(); next !== undefined; next = boxes.pop()) {
    const box = trim(a, b, next);
    const { oldStart, oldEnd, newStart, newEnd } = box;
    if (oldStart === oldEnd) mark(isNew, newPlaces, newStart, newEnd);
    else if (newStart === newEnd) mark(isOld, oldPlaces, oldStart, oldEnd);
    else {
      const split = findSplit(box);
      isRough ||= split.isRough;
      boxes.push({ ...box, oldEnd: split.old, newEnd: split.new });
      boxes.push({ ...box, oldStart: split.old, newStart: split.new });
    }
  }
  return isRough;
}

function mark(marks: Uint8Array, places: Int32Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) marks[places[at] ?? 0] = 1;
}

/** The same part without what both begin and end with. */
function trim(old: NumberedText, fresh: NumberedText, box: Box): Box {
  let { oldStart, oldEnd, newStart, newEnd } = box;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === fresh[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === fresh[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Where the lines stand that the other text has as well; the rest is marked. */
function placesInBoth(
  lines: NumberedText,
  { start, end }: Span,
  others: NumberedText,
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

type Split = { old: number; new: number; isRough: boolean };

/**
 * Finds where to cut a part in two so that a shortest way from the one text to the other leads through the cut: by ways from both
 * ends, one difference longer in each round, until two of them meet (Myers, "An O(ND) Difference Algorithm and Its
 * Variations", 1986). After `limit` rounds the way that has come furthest is taken as it is.
 */
function createSplitter(a: NumberedText, b: NumberedText): (box: Box) => Split {
  const size = a.length + b.length + 3;
  const limit = Math.max(leastDifferences, Math.floor(mostWork / size));
  // How far in `a` one comes on each diagonal (place in `a` minus place in `b`), from the start and from the end.
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
          return { old: x, new: y, isRough: false };
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
          return { old: x, new: y, isRough: false };
      }
      if (round >= limit) return furthest();
    }

    /** The end of the longest way so far, be it from the start or from the end. */
    function furthest(): Split {
      let best = { old: oldStart, new: newStart, isRough: true };
      let most = -1;
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const x = Math.min(forward[zero + diagonal] ?? 0, oldEnd, newEnd + diagonal);
        const gone = x - oldStart + (x - diagonal - newStart);
        if (gone > most) [most, best] = [gone, { old: x, new: x - diagonal, isRough: true }];
      }
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const x = Math.max(backward[zero + diagonal] ?? 0, oldStart, newStart + diagonal);
        const gone = oldEnd - x + (newEnd - (x - diagonal));
        if (gone > most) [most, best] = [gone, { old: x, new: x - diagonal, isRough: true }];
      }
      return best;
    }
  };
}

/**
 * Of several places where lines may have been inserted or taken away, the last one: beside an equal line it makes no difference
 * which of them is the new one, but two comparisons of the same change have to agree.
 */
function slideDown(lines: NumberedText, marks: Uint8Array, otherMarks: Uint8Array): void {
  let other = 0;
  for (let start = 0; start < lines.length; start += 1) {
    if (marks[start] === 0) {
      // The other text's line that is the same as this one, and behind it.
      while (otherMarks[other] === 1) other += 1;
      other += 1;
      continue;
    }
    let end = start;
    while (marks[end] === 1) end += 1;
    // Lines in the place of others stay there.
    while (otherMarks[other] !== 1 && end < lines.length && marks[end] === 0 && lines[start] === lines[end]) {
      marks[start++] = 0;
      marks[end++] = 1;
      other += 1;
    }
    while (marks[end] === 1) end += 1;
    start = end - 1;
  }
}

function editsOf(isOld: Uint8Array, isNew: Uint8Array): Edit[] {
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
