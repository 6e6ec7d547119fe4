import { fold } from './fold.ts';

/** The number of the line that has most of the words; null when none has any. */
export function hitLine(numbered: string, words: string): number | null {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  let best: { line: number; hits: number } | null = null;
  for (const row of numbered.split('\n')) {
    const [, number, text = ''] = /^\s*(\d+)\s*\|(.*)$/.exec(row) ?? [];
    const hits = wanted.filter((word) => fold(text).includes(word)).length;
    if (number !== undefined && hits > (best?.hits ?? 0)) best = { line: Number(number), hits };
  }
  return best?.line ?? null;
}
