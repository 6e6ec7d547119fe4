import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { createSilence, isDead, isHere, markOf } from './signs-of-life.ts';
import type { ProcessTable } from './signs-of-life.ts';

/** A system with these processes, each by its pid and when it began. */
const tableOf = (place: string, processes: Record<number, string>): ProcessTable => ({
  place,
  isThere: (pid) => pid in processes,
  startOf: (pid) => processes[pid] ?? '',
});

describe('a holder', () => {
  const linux = tableOf('box boot-1 pid:[1]', { 7: '100' });
  const host = markOf(7, linux);

  it('is dead when its process is gone, or another has its pid by now', () => {
    expect(isDead({ pid: 7, host }, linux)).toBe(false);
    expect(isDead({ pid: 7, host }, tableOf(linux.place, {}))).toBe(true);
    expect(isDead({ pid: 7, host }, tableOf(linux.place, { 7: '200' }))).toBe(true);
  });

  it('is not judged from another container, boot or machine, nor when an older Keepsake wrote it down', () => {
    for (const place of ['box boot-1 pid:[2]', 'box boot-2 pid:[1]', 'other boot-1 pid:[1]', 'box']) {
      expect(isDead({ pid: 7, host }, tableOf(place, {}))).toBe(false);
      expect(isHere({ host }, tableOf(place, {}))).toBe(false);
    }
    expect(isDead({ pid: 7, host: 'box' }, tableOf('box', {}))).toBe(false);
  });

  it('is known by its pid alone where the system does not say when a process began', () => {
    const mac = tableOf('box', { 7: '' });
    const mark = markOf(7, mac);
    expect(isHere({ host: mark }, mac)).toBe(true);
    expect(isDead({ pid: 7, host: mark }, mac)).toBe(false);
    expect(isDead({ pid: 8, host: mark }, mac)).toBe(true);
  });

  it('is this process, really', () => {
    const mine = markOf(process.pid);
    expect(isHere({ host: mine })).toBe(true);
    expect(isDead({ pid: process.pid, host: mine })).toBe(false);
    expect(isDead({ pid: 99_999_999, host: mine })).toBe(true);
    if (process.platform === 'linux') {
      expect(mine).toMatch(/ [0-9a-f-]{36} pid:\[\d+\]#\d+$/);
      expect(isDead({ pid: process.pid, host: mine.replace(/#\d+$/, '#1') })).toBe(true);
    }
  });
});

describe('a process that has ended', () => {
  it.skipIf(missing('Linux'))('is dead also while its parent has not asked how it ended', async () => {
    // The shell becomes another program, which asks after no child.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill());
    const pid = Number(await new Promise((said) => parent.stdout.once('data', said)));
    const host = markOf(process.pid).replace(/#\d+$/, '#');
    const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    await expect.poll(state).toBe('Z');
    expect(isDead({ pid, host })).toBe(true);
  });
});

describe('silence', () => {
  it('is that of one row for the length of a lease, whatever time the row names', () => {
    let now = 0;
    const isSilent = createSilence(5_000, () => now);
    const row = { fence: 1, until: 10 ** 15 };
    expect(isSilent(row)).toBe(false);
    now = 4_999;
    expect(isSilent(row)).toBe(false);
    expect(isSilent({ ...row, until: 1 })).toBe(false);
    now = 9_998;
    expect(isSilent({ ...row, until: 1 })).toBe(false);
    now = 9_999;
    expect(isSilent({ ...row, until: 1 })).toBe(true);
  });
});
