export type DiffLine = {
  kind: 'added' | 'removed' | 'context' | 'meta';
  text: string;
  oldLine: number | null;
  newLine: number | null;
};
export type Hunk = { oldStart: number; newStart: number; lines: DiffLine[] };

/** Parses the hunks of a unified diff. File headers and changes to stamps are left out. */
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
      // A remark, for example that lines were omitted. Without a hunk above it, the whole diff was omitted.
      if (hunks.length === 0) hunks.push({ oldStart: 0, newStart: 0, lines: [] });
      hunks.at(-1)?.lines.push({ kind: 'meta', text: row.slice(2), oldLine: null, newLine: null });
      continue;
    }
    const lines = hunks.at(-1)?.lines;
    if (lines === undefined || row === '') continue;
    const [sign, text] = [row[0], row.slice(1)];
    if (sign === '+') lines.push({ kind: 'added', text, oldLine: null, newLine: newLine++ });
    else if (sign === '-') lines.push({ kind: 'removed', text, oldLine: oldLine++, newLine: null });
    else lines.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ });
  }
  const [first, ...rest] = hunks;
  const without = first === undefined ? null : dropMaintainedFields(first);
  return without === null ? rest : [without, ...rest];
}

/** The old path of a moved file; null if the file was not moved. */
export function parseMovedFrom(diff: string): string | null {
  const [, from, to] = /^--- (.*)\n\+\+\+ (.*)$/m.exec(diff) ?? [];
  const isMoved = from !== undefined && from !== to && from !== '/dev/null' && to !== '/dev/null';
  return isMoved ? from : null;
}

/** Whether a diff shows more than changed stamps of a text. */
export function changesText(diff: string): boolean {
  const isUnchanged = /^--- (?!\/dev\/null)(.*)\n\+\+\+ \1(?:\n@@|$)/.test(diff);
  return !isUnchanged || parseDiff(diff).length > 0;
}

/** Counts added and removed lines; `isAll` is false if the diff was truncated. */
export function countChangedLines(hunks: readonly Hunk[]): {
  added: number;
  removed: number;
  isAll: boolean;
} {
  const all = hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine['kind']): number => all.filter((line) => line.kind === kind).length;
  const isAll = !all.some(({ kind, text }) => kind === 'meta' && text.includes('omitted'));
  return { added: count('added'), removed: count('removed'), isAll };
}

const stamp = /^(?:(?:created|updated): \d{4}-\d\d-\d\dT[\d:]+|tokens: \d+)$/;

/** Removes stamps if the hunk starts with the frontmatter; elsewhere such lines may be text. Null if nothing else changed. */
function dropMaintainedFields(hunk: Hunk): Hunk | null {
  const isMark = (line: DiffLine | undefined): boolean => line?.text === '---';
  const end =
    isMark(hunk.lines[0]) && hunk.newStart <= 1
      ? hunk.lines.findIndex((line, at) => at > 0 && isMark(line))
      : -1;
  if (end < 0) return hunk;
  const remaining = hunk.lines.slice(0, end).filter(({ text }) => !stamp.test(text));
  // Frontmatter that contained only stamps is removed as a whole.
  const isEmpty = remaining.every(isMark);
  const rest = hunk.lines.slice(isEmpty ? end + 1 : end);
  const lines = isEmpty ? rest.slice(rest[0]?.text === '' ? 1 : 0) : [...remaining, ...rest];
  return lines.every(({ kind }) => kind === 'context') ? null : { ...hunk, lines };
}
