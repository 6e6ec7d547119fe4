/** The part of a text that an address means: a heading with what stands below it, or a named paragraph; null when there is none. */
export function sectionOf(body: string, hash: string): string | null {
  if (hash === '') return body;
  const lines = body.split('\n');
  const [, block] = /^\^([\w-]+)$/.exec(hash) ?? [];
  if (block !== undefined) return paragraphNamed(lines, block);
  const wanted = headingId(hash);
  let depth = 0;
  let start = -1;
  for (const { line, at } of outsideOfCode(lines)) {
    const [, marks = '', words = ''] = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
    if (marks === '') continue;
    if (start >= 0 && marks.length <= depth) return lines.slice(start, at).join('\n');
    if (start < 0 && headingId(words) === wanted) [start, depth] = [at, marks.length];
  }
  return start < 0 ? null : lines.slice(start).join('\n');
}

/** Whether a link to this part of a text leads anywhere; `anchor` is as in a link, with its `#` or without. */
export function hasAnchor(text: string, anchor: string): boolean {
  return sectionOf(text, anchor.replace(/^#/, '')) !== null;
}

/** The id of a heading by its words, or by a link to it: `#the-plan`, `#The plan`, `#Part#The plan`. */
export function headingId(words: string): string {
  const last = words.split('#').at(-1) ?? '';
  const plain = last.trim().toLowerCase();
  // In front of it stands what no id of the page has.
  return `heading-${plain.replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')}`;
}

function paragraphNamed(lines: readonly string[], name: string): string | null {
  const at = lines.findIndex((line) => new RegExp(`(?:^|\\s)\\^${name}\\s*$`).test(line));
  if (at < 0) return null;
  const before = lines.slice(0, at).findLastIndex((line) => line.trim() === '');
  const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(lines[at] ?? '');
  return lines.slice(isItem ? at : before + 1, at + 1).join('\n');
}

function* outsideOfCode(lines: readonly string[]): Generator<{ line: string; at: number }> {
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (marks !== undefined && (fence === null || marks.startsWith(fence)))
      fence = fence === null ? marks : null;
    else if (fence === null) yield { line, at };
  }
}
