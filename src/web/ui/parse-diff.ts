export type DiffLine = {
  kind: 'added' | 'removed' | 'same' | 'remark';
  text: string;
  oldLine: number | null;
  newLine: number | null;
};
export type Hunk = { oldStart: number; newStart: number; lines: DiffLine[] };

/** The hunks of a unified diff; everything before the first one is left out. */
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
  return hunks;
}
