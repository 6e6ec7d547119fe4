/** Returns the section that a URL fragment refers to: a heading with its content, or a named paragraph; null if not found. */
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

/** Whether the text has the heading or block that the anchor names; `anchor` may begin with `#`. */
export function hasAnchor(text: string, anchor: string): boolean {
  return sectionOf(text, anchor.replace(/^#/, '')) !== null;
}

/** Computes the id of a heading from its text or from a link to it: `#the-plan`, `#The plan`, `#Part#The plan`. */
export function headingId(words: string): string {
  const last = words.split('#').at(-1) ?? '';
  const plain = last.trim().toLowerCase();
  // The prefix keeps it distinct from the other ids of the page.
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
