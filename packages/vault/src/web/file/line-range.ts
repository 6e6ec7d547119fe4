export type LineRange = { start: number; end: number };

/** Parses `L9` or `L9-14`, optionally with a leading `#`; null for anything else. */
export function parseLineRange(hash: string): LineRange | null {
  const [, first, last] = /^#?L?(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? [];
  if (first === undefined) return null;
  const [a, b] = [Number(first), Number(last ?? first)];
  return a < 1 || b < 1 ? null : { start: Math.min(a, b), end: Math.max(a, b) };
}

export function formatLineRange({ start, end }: LineRange): string {
  return start === end ? `L${start}` : `L${start}-${end}`;
}
