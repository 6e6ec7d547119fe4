import { normalizeText } from '../palette/normalize-text.ts';

/** The terms of a query, normalized for highlighting. */
export function queryTerms(query: string): string[] {
  return normalizeText(query.replaceAll(/(?:^|\s)(?:-\S+|path:(?:"[^"]*"|\S+))|\btag:/gi, ' '))
    .split(/[\s"*#[\]:]+/)
    .filter((word) => word.length > 1);
}

/** A line with all occurrences of the search terms highlighted. */
export function HighlightedLine({ line, words }: { line: string; words: readonly string[] }) {
  return highlightTerms(line, words).map(({ text, isHit }, index) =>
    isHit ? (
      <mark key={index} className="rounded-small bg-mark text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** Splits a line at the occurrences of search terms. */
export function highlightTerms(line: string, words: readonly string[]): { text: string; isHit: boolean }[] {
  const lower = normalizeText(line);
  // Normalizing may change the length; offsets would then be wrong.
  if (lower.length !== line.length) return [{ text: line, isHit: false }];
  const parts: { text: string; isHit: boolean }[] = [];
  let at = 0;
  while (at < line.length) {
    const [next] = words
      .map((word) => ({ start: lower.indexOf(word, at), length: word.length }))
      .filter(({ start }) => start !== -1)
      .toSorted((a, b) => a.start - b.start || b.length - a.length);
    if (next === undefined) break;
    if (next.start > at) parts.push({ text: line.slice(at, next.start), isHit: false });
    at = next.start + next.length;
    parts.push({ text: line.slice(next.start, at), isHit: true });
  }
  if (at < line.length) parts.push({ text: line.slice(at), isHit: false });
  return parts;
}
