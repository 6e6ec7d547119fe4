import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { claimFolders, parseClaim } from '../hook/index.ts';
import { pluralize } from '../vault/index.ts';
import { isRunning, listNames } from './spool.ts';

/** Events of the last seven days that hooks did not record; `lastAt` in epoch milliseconds. */
export type LostEvents = { prompts: number; answers: number; summaries: number; lastAt: number | null };

const retentionMs = 7 * 86_400_000;
/**
 * After this time, twice the timeout of the clients, a claim counts as lost even if its process seems to run, because
 * the pid may have been reused. If the hook does run that long, its event counts as lost until it is recorded.
 */
const maxHookMs = 60_000;

/**
 * Counts claims whose hook no longer runs; a claim marks an event that is being recorded. Deletes claims that are too
 * old to be reported.
 */
export function countLostEvents(
  { stateHome, configurationHome }: Pick<Environment, 'stateHome' | 'configurationHome'>,
  now: number,
): LostEvents {
  const lost: LostEvents = { prompts: 0, answers: 0, summaries: 0, lastAt: null };
  for (const { file, event, calledAt, pid } of listClaims(stateHome, configurationHome)) {
    const age = now - calledAt;
    if (age > retentionMs) rmSync(file, { force: true });
    const kind = kinds[event];
    if (kind === undefined || age > retentionMs || (age < maxHookMs && isRunning(pid))) continue;
    lost[kind] += 1;
    lost.lastAt = Math.max(lost.lastAt ?? 0, calledAt);
  }
  return lost;
}

/** Lost session ends are not counted, because they lose no text: the session ends after the idle timeout instead. */
const kinds: Partial<Record<string, 'prompts' | 'answers' | 'summaries'>> = {
  prompt: 'prompts',
  turn: 'answers',
  'post-compact': 'summaries',
};

/** For example `2 prompts, 1 answer`; null if nothing was lost. */
export function describeLost({ prompts, answers, summaries }: LostEvents): string | null {
  const counts = [
    prompts === 0 ? [] : [pluralize(prompts, 'prompt')],
    answers === 0 ? [] : [pluralize(answers, 'answer')],
    summaries === 0 ? [] : [summaries === 1 ? '1 summary' : `${summaries} summaries`],
  ].flat();
  return counts.length === 0 ? null : counts.join(', ');
}

function listClaims(state: string, configuration: string) {
  return claimFolders({ state, configuration }).flatMap((folder) =>
    listNames(folder).flatMap((name) => {
      const claim = parseClaim(name);
      return claim === null ? [] : [{ file: join(folder, name), ...claim }];
    }),
  );
}
