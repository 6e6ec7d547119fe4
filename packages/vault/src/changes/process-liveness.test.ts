import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { createStalenessCheck, isProcessDead, isSameHost, processMarker } from './process-liveness.ts';
import type { ProcessTable } from './process-table.ts';

/** A process table with these processes: start time by pid. */
const tableOf = (hostId: string, processes: Record<number, string>): ProcessTable => ({
  hostId,
  exists: (pid) => pid in processes,
  startTime: (pid) => processes[pid] ?? '',
});

describe('the owner of a lock', () => {
  const linux = tableOf('box boot-1 pid:[1]', { 7: '100' });
  const host = processMarker(7, linux);

  it('is dead when its process has ended or its pid was reused', () => {
    expect(isProcessDead({ pid: 7, host }, linux)).toBe(false);
    expect(isProcessDead({ pid: 7, host }, tableOf(linux.hostId, {}))).toBe(true);
    expect(isProcessDead({ pid: 7, host }, tableOf(linux.hostId, { 7: '200' }))).toBe(true);
  });

  it('is never considered dead if it was recorded in another container or boot, on another machine or by an older version', () => {
    for (const place of ['box boot-1 pid:[2]', 'box boot-2 pid:[1]', 'other boot-1 pid:[1]', 'box']) {
      expect(isProcessDead({ pid: 7, host }, tableOf(place, {}))).toBe(false);
      expect(isSameHost({ host }, tableOf(place, {}))).toBe(false);
    }
    expect(isProcessDead({ pid: 7, host: 'box' }, tableOf('box', {}))).toBe(false);
  });

  it('is identified by its pid alone where the system does not report start times', () => {
    const mac = tableOf('box', { 7: '' });
    const mark = processMarker(7, mac);
    expect(isSameHost({ host: mark }, mac)).toBe(true);
    expect(isProcessDead({ pid: 7, host: mark }, mac)).toBe(false);
    expect(isProcessDead({ pid: 8, host: mark }, mac)).toBe(true);
  });

  it('is alive when it is the current process', () => {
    const mine = processMarker(process.pid);
    expect(isSameHost({ host: mine })).toBe(true);
    expect(isProcessDead({ pid: process.pid, host: mine })).toBe(false);
    expect(isProcessDead({ pid: 99_999_999, host: mine })).toBe(true);
    if (process.platform === 'linux') {
      expect(mine).toMatch(/ [0-9a-f-]{36} pid:\[\d+\]#\d+$/);
      expect(isProcessDead({ pid: process.pid, host: mine.replace(/#\d+$/, '#1') })).toBe(true);
    }
  });
});

describe('a process that has ended', () => {
  it.skipIf(missing('Linux'))('is dead even while it is a zombie', async () => {
    // The shell is replaced by a program that never reaps its children.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill());
    const pid = Number(await new Promise((said) => parent.stdout.once('data', said)));
    const host = processMarker(process.pid).replace(/#\d+$/, '#');
    const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    await expect.poll(state).toBe('Z');
    expect(isProcessDead({ pid, host })).toBe(true);
  });
});

describe('the staleness check', () => {
  it('reports a row that stays unchanged for the length of a lease, regardless of its timestamp', () => {
    let now = 0;
    const isSilent = createStalenessCheck(5_000, () => now);
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
