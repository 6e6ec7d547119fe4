import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { createSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { defaultTiming } from './timing.ts';

const timing = {
  ...defaultTiming,
  scanIntervalMs: 60_000,
  maxHints: 3,
  burstScanDelayMs: 2_000,
  hintScanDelayMs: 15_000,
  treeQuietMs: 2_000,
  treeMaxDelayMs: 30_000,
  recordIntervalMs: 300_000,
};

/** A schedule at time 1,000 with its clock and the state of its pending stamps. */
function setUp() {
  const now = { at: 1_000 };
  const stamps = { isWaiting: false, dueAt: Infinity };
  const schedule = createSchedule({
    timing,
    monotonicNow: () => now.at,
    stamps: { hasPending: () => stamps.isWaiting, dueAt: () => stamps.dueAt },
    copies: { dueAt: () => Infinity },
  });
  return { schedule, now, stamps };
}

/** The same after a first scan that took no time and found nothing. */
function setUpScanned() {
  const all = setUp();
  all.schedule.recordScan(0, 0);
  return all;
}

const paths = (...names: string[]): Set<VaultPath> =>
  new Set(names.map((name) => `vault/${name}` as VaultPath));
const hint = (schedule: Schedule, ...names: string[]): void =>
  schedule.addHints({ paths: paths(...names), isComplete: true });
const due = (schedule: Schedule): string[] =>
  (['scan', 'hints', 'stamp', 'tree', 'record'] as const).filter((job) => schedule.isDue(job));

describe('a new schedule', () => {
  it('contains only a scan', () => {
    const { schedule } = setUp();
    expect(due(schedule)).toEqual(['scan']);
    expect(schedule.nextAt()).toBe(1_000);
  });

  it('contains nothing between the first and the next scan', () => {
    const { schedule, now } = setUpScanned();
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(61_000);
    now.at = 61_000;
    expect(due(schedule)).toEqual(['scan']);
  });
});

describe('a path reported by the file watcher', () => {
  it('is checked immediately, returned once, and followed by a full scan', () => {
    const { schedule, now } = setUpScanned();
    hint(schedule, 'a.md', 'b.md');
    hint(schedule, 'a.md');
    expect(due(schedule)).toEqual(['hints']);
    expect(schedule.nextAt()).toBeLessThan(now.at);
    expect(schedule.drainHints()).toEqual(paths('a.md', 'b.md'));
    expect(schedule.drainHints()).toEqual(paths());
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(16_000);
  });

  it('does not postpone the scan that an earlier path scheduled', () => {
    const { schedule, now } = setUpScanned();
    hint(schedule, 'a.md');
    now.at = 10_000;
    hint(schedule, 'b.md');
    schedule.drainHints();
    expect(schedule.nextAt()).toBe(16_000);
  });

  it.each([
    ['in a burst', { paths: paths('a.md', 'b.md', 'c.md', 'd.md'), isComplete: true }],
    ['in an incomplete report', { paths: paths('a.md'), isComplete: false }],
  ])('%s is replaced by a scan', (_, hints) => {
    const { schedule, now } = setUpScanned();
    schedule.addHints(hints);
    expect(due(schedule)).toEqual([]);
    expect(schedule.drainHints()).toEqual(paths());
    expect(schedule.nextAt()).toBe(3_000);
    now.at = 3_000;
    expect(due(schedule)).toEqual(['scan']);
  });

  it('is replaced by a scan when too many paths are reported one by one', () => {
    const { schedule } = setUpScanned();
    for (const name of ['a.md', 'b.md', 'c.md']) hint(schedule, name);
    expect(due(schedule)).toEqual(['hints']);
    hint(schedule, 'd.md');
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(3_000);
  });

  it('during a scan still schedules another scan', () => {
    const { schedule, now } = setUpScanned();
    now.at = 61_000;
    schedule.drainHints();
    now.at = 61_500;
    hint(schedule, 'a.md', 'b.md', 'c.md', 'd.md');
    now.at = 62_000;
    schedule.recordScan(100, 0);
    expect(schedule.nextAt()).toBe(61_500 + timing.burstScanDelayMs);
  });
});

describe('a scan', () => {
  it('is not repeated immediately if it took long, whatever the file watcher reports', () => {
    const { schedule, now } = setUp();
    now.at = 21_000;
    schedule.recordScan(20_000, 0);
    expect(schedule.nextAt()).toBe(121_000);
    schedule.addHints({ paths: paths(), isComplete: false });
    expect(schedule.nextAt()).toBe(121_000);
    now.at = 120_000;
    schedule.addHints({ paths: paths(), isComplete: false });
    now.at = 121_000;
    expect(due(schedule)).toEqual(['scan']);
  });

  it('is repeated sooner, but not immediately, when it found changes that the file watcher missed', () => {
    const { schedule, now } = setUp();
    schedule.recordScan(0, 1);
    expect(schedule.nextAt()).toBe(16_000);
    now.at = 41_000;
    schedule.recordScan(20_000, 1);
    expect(schedule.nextAt()).toBe(61_000);
  });

  it('is postponed when there is nothing to scan', () => {
    const { schedule } = setUp();
    schedule.postponeScan();
    expect(schedule.nextAt()).toBe(61_000);
  });
});

describe('writing tree.md', () => {
  it('is due after a quiet period', () => {
    const { schedule, now } = setUpScanned();
    schedule.scheduleTreeWrite();
    now.at = 2_500;
    schedule.scheduleTreeWrite();
    now.at = 4_499;
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(4_500);
    now.at = 4_500;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('waits for pending stamps up to a limit', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.isWaiting = true;
    schedule.scheduleTreeWrite();
    now.at = 20_000;
    schedule.scheduleTreeWrite();
    now.at = 30_999;
    expect(due(schedule)).toEqual([]);
    now.at = 31_000;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('is due as soon as the stamps are set', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.isWaiting = true;
    schedule.scheduleTreeWrite();
    now.at = 7_000;
    expect(due(schedule)).toEqual([]);
    stamps.isWaiting = false;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('is due again only after another change, with a new delay limit', () => {
    const { schedule, now, stamps } = setUpScanned();
    schedule.scheduleTreeWrite();
    schedule.cancelTreeWrite();
    now.at = 50_000;
    expect(due(schedule)).toEqual([]);
    stamps.isWaiting = true;
    schedule.scheduleTreeWrite();
    expect(schedule.nextAt()).toBe(61_000);
    now.at = 79_999;
    expect(schedule.isDue('tree')).toBe(false);
    now.at = 80_000;
    expect(schedule.isDue('tree')).toBe(true);
  });
});

describe('a schedule', () => {
  it('contains stamping when stamps are due, and recording at a fixed interval', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.dueAt = 6_000;
    expect(schedule.nextAt()).toBe(6_000);
    now.at = 6_000;
    expect(due(schedule)).toEqual(['stamp']);
    stamps.dueAt = Infinity;
    now.at = 301_000;
    expect(due(schedule)).toEqual(['scan', 'record']);
    schedule.postponeRecording();
    expect(due(schedule)).toEqual(['scan']);
    now.at = 601_000;
    expect(due(schedule)).toEqual(['scan', 'record']);
  });
});
