import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { claimFolders, parseClaim } from '../hook/index.ts';
import { count } from '../vault/index.ts';
import { isRunning, namesIn } from './spool.ts';

/** What hooks were called for in the last seven days and did not record; `lastAt` in milliseconds. */
export type LostParts = { prompts: number; answers: number; summaries: number; lastAt: number | null };

const retentionMs = 7 * 86_400_000;
/**
 * Twice what clients give a hook. The number of an older process may belong to another one by now. A hook that runs even longer is
 * counted until it records its part.
 */
const maxHookMs = 60_000;

/** Counts the claims that no running hook owns. Removes those that are too old to be reported. */
export function lostParts(
  { stateHome, configurationHome }: Pick<Environment, 'stateHome' | 'configurationHome'>,
  now: number,
): LostParts {
  const lost: LostParts = { prompts: 0, answers: 0, summaries: 0, lastAt: null };
  for (const { file, event, calledAt, pid } of claims(stateHome, configurationHome)) {
    const age = now - calledAt;
    if (age > retentionMs) rmSync(file, { force: true });
    const kind = kinds[event];
    if (kind === undefined || age > retentionMs || (age < maxHookMs && isRunning(pid))) continue;
    lost[kind] += 1;
    lost.lastAt = Math.max(lost.lastAt ?? 0, calledAt);
  }
  return lost;
}

/** The end of a session carries no words: without it the session is over after a while of silence. */
const kinds: Partial<Record<string, 'prompts' | 'answers' | 'summaries'>> = {
  prompt: 'prompts',
  turn: 'answers',
  'post-compact': 'summaries',
};

/** As `2 prompts, 1 answer`; null when nothing was lost. */
export function describeLost({ prompts, answers, summaries }: LostParts): string | null {
  const said = [
    prompts === 0 ? [] : [count(prompts, 'prompt')],
    answers === 0 ? [] : [count(answers, 'answer')],
    summaries === 0 ? [] : [summaries === 1 ? '1 summary' : `${summaries} summaries`],
  ].flat();
  return said.length === 0 ? null : said.join(', ');
}

function claims(state: string, configuration: string) {
  return claimFolders({ state, configuration }).flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const claim = parseClaim(name);
      return claim === null ? [] : [{ file: join(folder, name), ...claim }];
    }),
  );
}
