import { fold } from '../palette/fold.ts';

/** The words of a query, as they are looked for in a line. */
export function wordsIn(query: string): string[] {
  return fold(query.replaceAll(/(?:^|\s)-\S+/g, ' '))
    .split(/[\s"*#]+/)
    .filter((word) => word.length > 1);
}

/** A line with every word marked that was searched for, wherever it stands in it. */
export function MarkedLine({ line, words }: { line: string; words: readonly string[] }) {
  return marksIn(line, words).map(({ text, isHit }, index) =>
    isHit ? (
      <mark key={index} className="rounded-small bg-mark text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** A line cut where a word begins and ends. */
export function marksIn(line: string, words: readonly string[]): { text: string; isHit: boolean }[] {
  const lower = fold(line);
  // Lower case may be longer than what it stands for; then nothing is marked.
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
