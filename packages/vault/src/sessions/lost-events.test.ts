import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { describeLost, countLostEvents } from './index.ts';

const now = Date.parse('2026-11-16T12:00:00');
const minute = 60_000;
const day = 24 * 60 * minute;

function claimed(claims: { event: string; age: number; pid: number }[], folder = 'state/spool/claims') {
  const home = temporaryFolder();
  const files = claims.map(({ event, age, pid }) => `${folder}/${event}.${now - age}.${pid}`);
  layOut(home, Object.fromEntries(files.map((file) => [file, ''])));
  const environment = { stateHome: join(home, 'state'), configurationHome: join(home, 'config') };
  return {
    count: () => countLostEvents(environment, now),
    isLeft: () => files.map((file) => existsSync(join(home, file))),
  };
}

/** The pid of a process that has exited. */
const ended = spawnSync(process.execPath, ['-e', '0']).pid;

it('countLostEvents counts the claim files that exited hooks left behind, by event', () => {
  const { count } = claimed([
    { event: 'prompt', age: minute, pid: ended },
    { event: 'prompt', age: 2 * minute, pid: ended },
    { event: 'turn', age: minute, pid: ended },
    { event: 'post-compact', age: minute, pid: ended },
    { event: 'session-end', age: minute, pid: ended },
  ]);
  expect(count()).toEqual({ prompts: 2, answers: 1, summaries: 1, lastAt: now - minute });
  expect(describeLost(count())).toBe('2 prompts, 1 answer, 1 summary');
});

it('countLostEvents ignores the claim file of a running hook, unless its pid may have been reused', () => {
  const { count } = claimed([
    { event: 'prompt', age: minute / 2, pid: process.pid },
    { event: 'turn', age: 2 * minute, pid: process.pid },
  ]);
  expect(count()).toMatchObject({ prompts: 0, answers: 1 });
});

it('countLostEvents also counts claim files in the configuration folder', () => {
  const { count } = claimed([{ event: 'prompt', age: minute, pid: ended }], 'config/lost');
  expect(count()).toMatchObject({ prompts: 1 });
});

it('countLostEvents deletes claim files older than seven days', () => {
  const { count, isLeft } = claimed([
    { event: 'prompt', age: 6 * day, pid: ended },
    { event: 'prompt', age: 8 * day, pid: ended },
    { event: 'session-end', age: 8 * day, pid: ended },
  ]);
  expect(count()).toMatchObject({ prompts: 1 });
  expect(isLeft()).toEqual([true, false, false]);
});

it('countLostEvents counts nothing if no hook was called', () => {
  const { count } = claimed([]);
  expect(count()).toEqual({ prompts: 0, answers: 0, summaries: 0, lastAt: null });
  expect(describeLost(count())).toBeNull();
});
