/** `[2]`, `[1, 3]` or `[1-3]`, but not the text of a link. */
export const citationPattern = /\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?![(:])/g;

/** The numbers that a text cites, in order. */
export function findCitations(text: string): number[] {
  return [...text.matchAll(citationPattern)].flatMap(([, numbers = '']) => expand(numbers));
}

function expand(numbers: string): number[] {
  return numbers.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    return Array.from({ length: Math.max(0, last - first) + 1 }, (_, index) => first + index);
  });
}

/**
 * Replaces the numbers in citations. A number that `renumber` maps to null has no lines; a citation of such numbers alone becomes
 * `[?]`, so that it does not refer to lines of another.
 */
export function renumberCitations(text: string, renumber: (cited: number) => number | null): string {
  return text.replaceAll(citationPattern, (citation, numbers: string) => {
    const cited = expand(numbers);
    const renumbered = cited.map(renumber);
    if (renumbered.every((number, index) => number === cited[index])) return citation;
    const remaining = renumbered.filter((number) => number !== null);
    return `[${remaining.length === 0 ? '?' : remaining.join(', ')}]`;
  });
}
