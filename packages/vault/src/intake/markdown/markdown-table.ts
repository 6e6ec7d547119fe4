/** Writes a GFM table. The first row is its head; short rows are padded. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const lines = rows.map((row) =>
    line(Array.from({ length: columns }, (_, index) => cell(row[index] ?? ''))),
  );
  const [head = '', ...body] = lines;
  return [head, line(Array.from({ length: columns }, () => '---')), ...body].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cell(text: string): string {
  return text
    .trim()
    .replaceAll(/\\*\|/g, (pipe) => `${'\\\\'.repeat(pipe.length - 1)}\\|`)
    .replaceAll('\n', '<br>');
}
