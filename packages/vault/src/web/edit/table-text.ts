/** A cell of a table: its text without surrounding spaces, and where the text is in its line. */
export type TableCell = { text: string; from: number; to: number };
export type TableMove = { row: number; column: number };
type Alignment = 'left' | 'right' | 'center' | null;

const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Whether these lines are a table: a header, a delimiter row, and rows. */
export function isTable(lines: readonly string[]): boolean {
  const [header, second = ''] = lines;
  return header !== undefined && header.includes('|') && second.includes('-') && delimiter.test(second);
}

/** Splits a row at its pipes, except for escaped ones. */
export function parseRow(line: string): TableCell[] {
  const cells: TableCell[] = [];
  let start = /^\s*\|?/.exec(line)?.[0].length ?? 0;
  for (let at = start; at <= line.length; at += 1) {
    if (at < line.length && (line[at] !== '|' || isEscaped(line, at))) continue;
    // What follows the last pipe is a cell only if it has text.
    if (at === line.length && line.slice(start).trim() === '' && cells.length > 0) break;
    const raw = line.slice(start, at);
    const text = raw.trim();
    const from = text === '' ? Math.min(start + 1, at) : start + raw.indexOf(text);
    cells.push({ text, from, to: from + text.length });
    start = at + 1;
  }
  return cells;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Aligns the columns of a table. The second row is the delimiter row. Every row gets the same number of cells. */
export function formatTable(lines: readonly string[]): string[] {
  const rows = lines.map((line) => parseRow(line).map(({ text }) => text));
  const columns = Math.max(...rows.map((row) => row.length));
  const alignments = Array.from({ length: columns }, (_, column) => alignmentOf(rows[1]?.[column] ?? ''));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row, index) => (index === 1 ? 0 : widthOf(row[column] ?? '')))),
  );
  return rows.map((row, index) => {
    const cells = widths.map((width, column) =>
      index === 1
        ? delimiterCell(alignments[column] ?? null, width)
        : pad(row[column] ?? '', width, alignments[column] ?? null),
    );
    return `| ${cells.join(' | ')} |`;
  });
}

function alignmentOf(cell: string): Alignment {
  const [isLeft, isRight] = [cell.startsWith(':'), cell.endsWith(':')];
  if (isLeft && isRight) return 'center';
  if (isRight) return 'right';
  return isLeft ? 'left' : null;
}

function delimiterCell(alignment: Alignment, width: number): string {
  const left = alignment === 'left' || alignment === 'center' ? ':' : '-';
  const right = alignment === 'right' || alignment === 'center' ? ':' : '-';
  return left + '-'.repeat(width - 2) + right;
}

function pad(text: string, width: number, alignment: Alignment): string {
  const missing = width - widthOf(text);
  if (alignment === 'right') return ' '.repeat(missing) + text;
  if (alignment !== 'center') return text + ' '.repeat(missing);
  const before = Math.floor(missing / 2);
  return ' '.repeat(before) + text + ' '.repeat(missing - before);
}

/** Columns that a text takes in a monospaced font: two for wide letters and emoji, none for combining marks. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    if (!/\p{M}/u.test(letter))
      width +=
        /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(
          letter,
        )
          ? 2
          : 1;
  return width;
}

/** The cell that contains a position of a line. */
export function columnAt(line: string, offset: number): number {
  const cells = parseRow(line);
  const pipesBefore = cells.findLastIndex(({ from }) => line.slice(0, offset).length >= startOf(line, from));
  return Math.max(0, pipesBefore);
}

/** The position after the pipe in front of a cell. */
function startOf(line: string, from: number): number {
  let at = from;
  while (at > 0 && line[at - 1] === ' ') at -= 1;
  return at;
}

/** The next or previous cell, past the delimiter row; null before the first. A step from the last cell adds a row. */
export function stepCell(
  { row, column }: TableMove,
  step: 1 | -1,
  size: { rows: number; columns: number },
): TableMove | null {
  let [nextRow, nextColumn] = [row, column + step];
  if (nextColumn >= size.columns) [nextRow, nextColumn] = [row + 1, 0];
  if (nextColumn < 0) [nextRow, nextColumn] = [row - 1, size.columns - 1];
  if (nextRow === 1) nextRow += step;
  return nextRow < 0 ? null : { row: nextRow, column: nextColumn };
}
