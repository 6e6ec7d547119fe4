/** Consecutive source lines in a document. `path` is the formatted path. */
export type ParsedBlock = { path: string; start: number; lines: string[] };

/** A fenced block of a document. The header comes after the opening fence; the lines are those between the fences. */
export type FencedBlock = { fence: string; header: string; lines: string[] };

/**
 * Parses the output of `concat`: the numbered lines in a markdown document, in order. A block with a gap yields one result
 * per range. Lines without consecutive numbers are ignored, because `concat` never writes them.
 */
export function parseBlocks(document: string): ParsedBlock[] {
  return splitDocument(document).flatMap((part) => {
    if (typeof part === 'string') return [];
    const path = parseHeader(part.header);
    return splitAtGaps(part.lines).flatMap((lines) => numbered(path, lines) ?? []);
  });
}

/** Splits a document into blocks and the lines outside of them, in order. A block that is not closed is omitted. */
export function splitDocument(document: string): (string | FencedBlock)[] {
  const parts: (string | FencedBlock)[] = [];
  let open: FencedBlock | null = null;
  for (const line of document.split(/\r?\n/)) {
    if (open === null) {
      const [, fence, header] = /^(```|~~~)(?=\S)(.*)$/.exec(line) ?? [];
      if (fence === undefined) parts.push(line);
      else open = { fence, header: header ?? '', lines: [] };
    } else if (line === open.fence) {
      parts.push(open);
      open = null;
    } else open.lines.push(line);
  }
  return parts;
}

/**
 * The path in the header of a block: `vault/x.md (lines 9-14, 20-20)` → `vault/x.md`. Answers of earlier versions have the number
 * of the citation before it: `[2] vault/x.md`.
 */
export function parseHeader(header: string): string {
  return header
    .replace(/^\[\d+\] (?=vault\/)/, '')
    .replace(/ \(lines \d+-\d+(?:, \d+-\d+)*(?: of \d+)?\)$/, '');
}

/** A gap is never a line of the file, because those start with their number. */
function splitAtGaps(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines)
    if (/^ +\| \.\.\.$/.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  return parts.filter((part) => part.length > 0 || parts.length === 1);
}

function numbered(path: string, lines: readonly string[]): ParsedBlock | null {
  if (lines.length === 1 && lines[0]?.startsWith(`[image ${path} `) === true)
    return { path, start: 1, lines: [...lines] };
  const parts = lines.map((line) => /^(\d+) *\|(?: (.*))?$/s.exec(line));
  const start = Number(parts[0]?.[1] ?? 1);
  const isConsecutive = parts.every((part, index) => Number(part?.[1]) === start + index);
  return isConsecutive ? { path, start, lines: parts.map((part) => part?.[2] ?? '') } : null;
}
