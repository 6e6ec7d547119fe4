/** A block of source lines in a document. `path` is the formatted path. */
export type ParsedBlock = { path: string; start: number; lines: string[] };

/**
 * Parses the output of `concat`: every block of numbered lines in a markdown document, in order. A block without consecutive
 * numbers is ignored, because `concat` never writes one.
 */
export function parseBlocks(document: string): ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let open: { fence: string; path: string; lines: string[] } | null = null;
  for (const line of document.split(/\r?\n/)) {
    if (open === null) {
      const [, fence, header] = /^(```|~~~)(?=\S)(.*)$/.exec(line) ?? [];
      if (fence !== undefined) open = { fence, path: withoutRange(header ?? ''), lines: [] };
    } else if (line === open.fence) {
      const parsed = numbered(open.path, open.lines);
      if (parsed !== null) blocks.push(parsed);
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

/** `vault/x.md (lines 9-14)` → `vault/x.md`. */
function withoutRange(header: string): string {
  return header.replace(/ \(lines \d+-\d+(?: of \d+)?\)$/, '');
}

function numbered(path: string, lines: readonly string[]): ParsedBlock | null {
  if (lines.length === 1 && lines[0]?.startsWith(`[image ${path} `) === true)
    return { path, start: 1, lines: [...lines] };
  const parts = lines.map((line) => /^(\d+) *\|(?: (.*))?$/s.exec(line));
  const start = Number(parts[0]?.[1] ?? 1);
  const isConsecutive = parts.every((part, index) => Number(part?.[1]) === start + index);
  return isConsecutive ? { path, start, lines: parts.map((part) => part?.[2] ?? '') } : null;
}
