/** The heading above each page in the text of a PDF with several pages. The converter escapes or demotes all other headings. */
export function formatPageHeading(page: number): string {
  return `# Page ${page}`;
}

/** The pages of a PDF that lines of its text are on. Lines count from 1. */
export function findPages(
  lines: readonly string[],
  { start, end }: { start: number; end: number },
): { start: number; end: number } {
  const found = { start: 1, end: 1 };
  for (const [index, line] of lines.slice(0, end).entries()) {
    const [, number] = /^# Page (\d+)$/.exec(line) ?? [];
    if (number === undefined) continue;
    if (index < start) found.start = Number(number);
    found.end = Number(number);
  }
  return found;
}
