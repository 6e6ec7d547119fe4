/**
 * Names where a translated page differs from its original in form: headings, the rows and columns of tables, the numbers in them, and
 * generated examples. What a sentence says is not compared.
 */
export function compareTranslation(original: string, translated: string): string[] {
  const [ours, theirs] = [outline(original), outline(translated)];
  const differences = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => {
    const [wanted, found] = [ours[index], theirs[index]];
    if (wanted?.form === found?.form) return [];
    return [`${describe(found)} instead of ${describe(wanted)}`];
  });
  // The first difference shifts all that follow.
  return differences.flat().slice(0, 1);
}

/** `form` is the same in every language. */
type Part = { line: number; form: string };

function outline(page: string): Part[] {
  const parts: Part[] = [];
  let fence: string | null = null;
  for (const [index, line] of page.split('\n').entries()) {
    const add = (form: string): void => void parts.push({ line: index + 1, form });
    const [marker = null] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null) {
      if (line === fence) fence = null;
      continue;
    }
    fence = marker;
    const heading = /^#{1,6}(?= )/.exec(line)?.[0];
    const generated = /^<!-- generated: (?:example|command|answer).*-->$/.exec(line)?.[0];
    if (heading !== undefined) add(`heading ${heading}`);
    else if (generated !== undefined) add(generated);
    else if (line.startsWith('|') && !/^[|\s:-]+$/.test(line)) add(`row ${formatRow(line)}`);
  }
  return parts;
}

/** The number of cells, and the numbers in them, in any notation and order. */
function formatRow(row: string): string {
  // Code, quotations and the targets of links may differ in path and language.
  const text = row.replaceAll(/`[^`]*`|"[^"]*"/g, '').replaceAll(/\]\([^)]*\)/g, ']');
  const numbers = text
    .replaceAll(/(?<![\d.,])[1-9]\d{0,2}(?:[,\u00a0\u202f ]\d{3})+(?!\d)/g, (number) =>
      number.replaceAll(/\D/g, ''),
    )
    .match(/\d+(?:[.,]\d+)*|(?<!\w)\.\d+/g);
  const normalized = (numbers ?? []).map((number) => Number(number.replace(',', '.')));
  const cells = text.replaceAll('\\|', '').split('|').length - 2;
  return `${cells} cells, numbers ${normalized.toSorted((a, b) => a - b).join(' ')}`;
}

function describe(part: Part | undefined): string {
  return part === undefined ? 'the end' : `line ${part.line} (${part.form})`;
}
