import type { Answer } from '../../contract/index.ts';
import { readWholeText } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { createOutlineParser, findFrontmatter, parseVaultPath, splitLines } from '../../vault/index.ts';

/** The headings above each block, such as the day of a changelog entry: they belong to what the lines say. */
export async function readHeadings(blocks: Answer['blocks'], run: ReadRun): Promise<string[]> {
  const headings: string[] = [];
  for (const [path, quoted] of Map.groupBy(blocks, (block) => block.path)) {
    const parsed = parseVaultPath(path);
    const read = parsed.ok ? await readWholeText(run, parsed.path) : null;
    if (read?.kind !== 'text') continue;
    for (const { start } of quoted) headings.push(...headingsAbove(read.text, start));
  }
  return [...new Set(headings)];
}

/** The headings that line `number` is below, outermost first. */
function headingsAbove(text: string, number: number): string[] {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const skipped = splitLines(text.slice(0, bodyStart)).length;
  const parse = createOutlineParser();
  let open: { level: number; text: string }[] = [];
  for (const line of splitLines(text.slice(bodyStart)).slice(0, Math.max(0, number - 1 - skipped))) {
    const { heading } = parse(line);
    if (heading !== null) open = [...open.filter(({ level }) => level < heading.level), heading];
  }
  return open.map((heading) => heading.text);
}
