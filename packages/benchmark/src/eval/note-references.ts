import type { VaultFiles } from './filing-outcome.ts';

/** Returns a function that removes paths of these notes from a text, with the ranges of lines that the notes have. */
export function referenceRemover(...states: readonly VaultFiles[]): (text: string) => string {
  const lineCounts = new Map<string, number>();
  for (const [path, text] of states.flatMap((files) => [...files]))
    lineCounts.set(path, Math.max(lineCounts.get(path) ?? 0, text.split('\n').length));
  // Longer paths first, because `projects/x/tasks.md` ends with `tasks.md`.
  const paths = [...lineCounts.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (paths.length === 0) return (text) => text;
  const reference = new RegExp(
    String.raw`(?<![\p{L}\p{N}/])(?:vault/)?(${paths.join('|')})(?::(\d+)(?:[-–](\d+))?)?(?!\w)`,
    'gu',
  );
  return (text) =>
    text.replaceAll(reference, (found, path: string, start?: string, end = start) =>
      Number(end ?? 0) <= (lineCounts.get(path) ?? 0) ? '' : found,
    );
}
