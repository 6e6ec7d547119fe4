export type DiffLine = {
  kind: 'added' | 'removed' | 'same' | 'remark';
  text: string;
  oldLine: number | null;
  newLine: number | null;
};
export type Hunk = { oldStart: number; newStart: number; lines: DiffLine[] };

/** The hunks of a unified diff; everything before the first one is left out. So are stamps, which nobody has written. */
export function parseDiff(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldLine, newLine] = [0, 0];
  for (const row of diff.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row);
    if (header !== null) {
      [oldLine, newLine] = [Number(header[1]), Number(header[2])];
      hunks.push({ oldStart: oldLine, newStart: newLine, lines: [] });
      continue;
    }
    if (row.startsWith('\\ ')) {
      // What is left out; all of it, where no hunk stands above.
      if (hunks.length === 0) hunks.push({ oldStart: 0, newStart: 0, lines: [] });
      hunks.at(-1)?.lines.push({ kind: 'remark', text: row.slice(2), oldLine: null, newLine: null });
      continue;
    }
    const lines = hunks.at(-1)?.lines;
    if (lines === undefined || row === '') continue;
    const [sign, text] = [row[0], row.slice(1)];
    if (sign === '+') lines.push({ kind: 'added', text, oldLine: null, newLine: newLine++ });
    else if (sign === '-') lines.push({ kind: 'removed', text, oldLine: oldLine++, newLine: null });
    else lines.push({ kind: 'same', text, oldLine: oldLine++, newLine: newLine++ });
  }
  const [first, ...rest] = hunks;
  const without = first === undefined ? null : withoutStamps(first);
  return without === null ? rest : [without, ...rest];
}

/** How many lines came and went, of those that were not left out. */
export function countLines(hunks: readonly Hunk[]): { added: number; removed: number; isAll: boolean } {
  const all = hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine['kind']): number => all.filter((line) => line.kind === kind).length;
  const isAll = !all.some(({ kind, text }) => kind === 'remark' && text.includes('left out'));
  return { added: count('added'), removed: count('removed'), isAll };
}

const stamp = /^(?:(?:created|updated): \d{4}-\d\d-\d\dT[\d:]+|tokens: \d+)$/;

/** Only where it is certain that they are stamps: in properties that are seen from their first line. Null when nothing else changed. */
function withoutStamps(hunk: Hunk): Hunk | null {
  const isMark = (line: DiffLine | undefined): boolean => line?.text === '---';
  const end =
    isMark(hunk.lines[0]) && hunk.newStart <= 1
      ? hunk.lines.findIndex((line, at) => at > 0 && isMark(line))
      : -1;
  if (end < 0) return hunk;
  const kept = hunk.lines.slice(0, end).filter(({ text }) => !stamp.test(text));
  // Nothing is left of what only held stamps.
  const isEmpty = kept.every(isMark);
  const rest = hunk.lines.slice(isEmpty ? end + 1 : end);
  const lines = isEmpty ? rest.slice(rest[0]?.text === '' ? 1 : 0) : [...kept, ...rest];
  return lines.every(({ kind }) => kind === 'same') ? null : { ...hunk, lines };
}
