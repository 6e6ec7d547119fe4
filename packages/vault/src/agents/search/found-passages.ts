import { searchOutput } from '../../contract/index.ts';
import type { FoundPassage } from '../../contract/index.ts';
import { parseNumberedLines } from '../../vault/index.ts';
import type { ExecutedCall } from '../conversation.ts';

/** The best passages of each search are reported, not all. */
const maxPassagesPerCall = 3;

/** The best passages that these calls have found, to show them before the answer is written. */
export function findPassages(calls: readonly ExecutedCall[]): FoundPassage[] {
  return calls.flatMap(({ tool, outcome }) => {
    if (tool !== 'search' || outcome.kind === 'refused') return [];
    const found = searchOutput.safeParse(outcome.result.value);
    return (found.data?.sections ?? []).slice(0, maxPassagesPerCall).map(({ path, lines, best, text }) => ({
      path,
      start: lines.start,
      best,
      text: parseNumberedLines(text).join('\n'),
    }));
  });
}
