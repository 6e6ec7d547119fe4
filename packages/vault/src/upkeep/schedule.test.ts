import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { createSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { defaultTiming } from './timing.ts';

const timing = {
  ...defaultTiming,
  scanEvery: 60_000,
  burst: 3,
  afterBurst: 2_000,
  afterHint: 15_000,
  treeQuiet: 2_000,
  treePatience: 30_000,
  recordEvery: 300_000,
};

/** A schedule at the moment 1,000, its clock and the stamps that it waits for. */
function setUp() {
  const now = { at: 1_000 };
  const stamps = { isWaiting: false, dueAt: Infinity };
  const schedule = createSchedule({
    timing,
    elapsed: () => now.at,
    stamps: { isWaiting: () => stamps.isWaiting, dueAt: () => stamps.dueAt },
    copies: { dueAt: () => Infinity },
  });
  return { schedule, now, stamps };
}

/** The same after a first scan that took no time and found nothing. */
function setUpScanned() {
  const all = setUp();
  all.schedule.scanned(0, 0);
  return all;
}

const paths = (...names: string[]): Set<VaultPath> =>
  new Set(names.map((name) => `vault/${name}` as VaultPath));
const hint = (schedule: Schedule, ...names: string[]): void =>
  schedule.hint({ paths: paths(...names), isComplete: true });
const due = (schedule: Schedule): string[] =>
  (['scan', 'look', 'stamp', 'tree', 'record'] as const).filter((job) => schedule.isDue(job));

describe('a start', () => {
  it('is a scan and nothing else', () => {
    const { schedule } = setUp();
    expect(due(schedule)).toEqual(['scan']);
    expect(schedule.nextAt()).toBe(1_000);
  });

  it('is followed by nothing until the next scan', () => {
    const { schedule, now } = setUpScanned();
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(61_000);
    now.at = 61_000;
    expect(due(schedule)).toEqual(['scan']);
  });
});

describe('a hint', () => {
  it('is looked at now and told once, and everything is compared soon', () => {
    const { schedule, now } = setUpScanned();
    hint(schedule, 'a.md', 'b.md');
    hint(schedule, 'a.md');
    expect(due(schedule)).toEqual(['look']);
    expect(schedule.nextAt()).toBeLessThan(now.at);
    expect(schedule.takeHints()).toEqual(paths('a.md', 'b.md'));
    expect(schedule.takeHints()).toEqual(paths());
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(16_000);
  });

  it('does not put off the scan that an earlier one asked for', () => {
    const { schedule, now } = setUpScanned();
    hint(schedule, 'a.md');
    now.at = 10_000;
    hint(schedule, 'b.md');
    schedule.takeHints();
    expect(schedule.nextAt()).toBe(16_000);
  });

  it.each([
    ['with others in a burst', { paths: paths('a.md', 'b.md', 'c.md', 'd.md'), isComplete: true }],
    ['with others that were lost', { paths: paths('a.md'), isComplete: false }],
  ])('%s becomes a scan', (_, hints) => {
    const { schedule, now } = setUpScanned();
    schedule.hint(hints);
    expect(due(schedule)).toEqual([]);
    expect(schedule.takeHints()).toEqual(paths());
    expect(schedule.nextAt()).toBe(3_000);
    now.at = 3_000;
    expect(due(schedule)).toEqual(['scan']);
  });

  it('among too many becomes a scan, also when they come one by one', () => {
    const { schedule } = setUpScanned();
    for (const name of ['a.md', 'b.md', 'c.md']) hint(schedule, name);
    expect(due(schedule)).toEqual(['look']);
    hint(schedule, 'd.md');
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(3_000);
  });

  it('that comes while everything is scanned is not forgotten when the scan ends', () => {
    const { schedule, now } = setUpScanned();
    now.at = 61_000;
    schedule.takeHints();
    now.at = 61_500;
    hint(schedule, 'a.md', 'b.md', 'c.md', 'd.md');
    now.at = 62_000;
    schedule.scanned(100, 0);
    expect(schedule.nextAt()).toBe(61_500 + timing.afterBurst);
  });
});

describe('a scan', () => {
  it('that took long is not repeated at once, whatever is hinted', () => {
    const { schedule, now } = setUp();
    now.at = 21_000;
    schedule.scanned(20_000, 0);
    expect(schedule.nextAt()).toBe(121_000);
    schedule.hint({ paths: paths(), isComplete: false });
    expect(schedule.nextAt()).toBe(121_000);
    now.at = 120_000;
    schedule.hint({ paths: paths(), isComplete: false });
    now.at = 121_000;
    expect(due(schedule)).toEqual(['scan']);
  });

  it('that found what nobody had told of is repeated sooner, but not at once either', () => {
    const { schedule, now } = setUp();
    schedule.scanned(0, 1);
    expect(schedule.nextAt()).toBe(16_000);
    now.at = 41_000;
    schedule.scanned(20_000, 1);
    expect(schedule.nextAt()).toBe(61_000);
  });

  it('is put off where there is nothing to scan', () => {
    const { schedule } = setUp();
    schedule.putOffScan();
    expect(schedule.nextAt()).toBe(61_000);
  });
});

describe('the tree', () => {
  it('is due once nothing has changed for a while', () => {
    const { schedule, now } = setUpScanned();
    schedule.noteTreeChange();
    now.at = 2_500;
    schedule.noteTreeChange();
    now.at = 4_499;
    expect(due(schedule)).toEqual([]);
    expect(schedule.nextAt()).toBe(4_500);
    now.at = 4_500;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('waits for stamps, but not forever', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.isWaiting = true;
    schedule.noteTreeChange();
    now.at = 20_000;
    schedule.noteTreeChange();
    now.at = 30_999;
    expect(due(schedule)).toEqual([]);
    now.at = 31_000;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('goes on when the stamps are there', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.isWaiting = true;
    schedule.noteTreeChange();
    now.at = 7_000;
    expect(due(schedule)).toEqual([]);
    stamps.isWaiting = false;
    expect(due(schedule)).toEqual(['tree']);
  });

  it('is not due again before it changes, and then its patience is new', () => {
    const { schedule, now, stamps } = setUpScanned();
    schedule.noteTreeChange();
    schedule.dropTree();
    now.at = 50_000;
    expect(due(schedule)).toEqual([]);
    stamps.isWaiting = true;
    schedule.noteTreeChange();
    expect(schedule.nextAt()).toBe(61_000);
    now.at = 79_999;
    expect(schedule.isDue('tree')).toBe(false);
    now.at = 80_000;
    expect(schedule.isDue('tree')).toBe(true);
  });
});

describe('the rest', () => {
  it('is stamps when they say so, and history on a timer', () => {
    const { schedule, now, stamps } = setUpScanned();
    stamps.dueAt = 6_000;
    expect(schedule.nextAt()).toBe(6_000);
    now.at = 6_000;
    expect(due(schedule)).toEqual(['stamp']);
    stamps.dueAt = Infinity;
    now.at = 301_000;
    expect(due(schedule)).toEqual(['scan', 'record']);
    schedule.putOffRecord();
    expect(due(schedule)).toEqual(['scan']);
    now.at = 601_000;
    expect(due(schedule)).toEqual(['scan', 'record']);
  });
});
