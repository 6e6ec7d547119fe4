import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { laidOut } from '../../../../test/temporary-vault.ts';
import { localTime } from '../contract/index.ts';
import { openRoot, revisionOf } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createMemory } from './memory.ts';
import { createStampEdits, needsStamps } from './stamp-edits.ts';

const calls = interceptCalls();
afterEach(() => void (calls.intercept = () => null));

const [old, now] = [revisionOf(Buffer.from('old')), revisionOf(Buffer.from('now'))];
const [monday, friday] = [localTime(1_752_480_000_000), localTime(1_752_825_600_000)];
const seen = { revision: old, updated: monday };

describe('stamps are needed', () => {
  it.each([
    ['for other words under the old date', { revision: now, updated: monday, hasRightTokens: true }, seen],
    ['for other words of another length', { revision: now, updated: monday, hasRightTokens: false }, seen],
    [
      'where a person set the date and not the tokens',
      { revision: now, updated: friday, hasRightTokens: false },
      seen,
    ],
    ['for a new text without stamps', { revision: now, updated: null, hasRightTokens: false }, undefined],
    [
      'for a new text that happens to be right about its tokens',
      { revision: now, updated: null, hasRightTokens: true },
      undefined,
    ],
    ['where the date was taken out', { revision: now, updated: null, hasRightTokens: true }, seen],
  ])('%s', (_, file, last) => {
    expect(needsStamps({ ...file, isBrought: false }, last, false)).toBe(true);
  });
});

describe('stamps are left alone', () => {
  it.each([
    [
      'where nothing but times changed',
      { revision: old, updated: monday, hasRightTokens: false },
      seen,
      true,
    ],
    [
      'where another machine has set them',
      { revision: now, updated: friday, hasRightTokens: true },
      seen,
      false,
    ],
    [
      'in a new text that came stamped',
      { revision: now, updated: friday, hasRightTokens: true },
      undefined,
      false,
    ],
    [
      'in a text that was only moved',
      { revision: old, updated: null, hasRightTokens: false },
      undefined,
      true,
    ],
  ])('%s', (_, file, last, isKnownElsewhere) => {
    expect(needsStamps({ ...file, isBrought: false }, last, isKnownElsewhere)).toBe(false);
  });
});

it('stamps are left to the machine where a note was written', () => {
  const file = { revision: now, updated: monday, hasRightTokens: false, isBrought: true };
  expect(needsStamps(file, seen, false)).toBe(false);
});

describe('a note that a program has open for writing', () => {
  const path = 'vault/log.md' as VaultPath;

  /** A note that was just noticed, five seconds before it is due. */
  async function setUp() {
    const { folder, changes } = await roomVault({ ...laidOut, 'log.md': 'line 1\n' });
    const database = new Database(':memory:');
    onTestFinished(() => void database.close());
    const time = { at: 0 };
    const stamps = createStampEdits({
      root: openRoot(folder),
      memory: createMemory(database),
      writer: changes.writer,
      stamps: changes.stamps,
      isAsLeft: (changed, bytes) => changes.isAsLeft(changed, bytes),
      clock: Date.now,
      elapsed: () => time.at,
      quiet: 5_000,
      quietUnseen: 60_000,
      retry: 1,
    });
    const file = join(folder, 'log.md');
    const notice = (): void => {
      const { size, mtimeMs: mtime, ctimeMs: ctime } = statSync(file);
      stamps.notice(path, { size, mtime, ctime, tokens: null, updated: null });
    };
    const runAt = (at: number): Promise<VaultPath[]> => {
      time.at = at;
      return stamps.run(() => false);
    };
    notice();
    return { stamps, file, runAt, notice };
  }

  it('gets no stamps before that program is done, and all of its lines stay', async () => {
    const { file, stamps, runAt, notice } = await setUp();
    const fd = openSync(file, 'a');
    expect(await runAt(5_000)).toEqual([]);
    expect(stamps.dueAt()).toBe(10_000);
    expect(await runAt(90_000)).toEqual([]);
    writeSync(fd, 'line 2\n');
    closeSync(fd);
    notice();
    expect(await runAt(95_000)).toEqual([path]);
    expect(readFileSync(file, 'utf8')).toMatch(/^---\ncreated: [^]*---\n\nline 1\nline 2\n$/);
  });

  it('is not read meanwhile, and nothing waits for it', async () => {
    const { file, stamps, runAt, notice } = await setUp();
    expect(stamps.isWaiting()).toBe(true);
    const fd = openSync(file, 'a');
    let reads = 0;
    calls.intercept = (name) => {
      if (name === 'readSync') reads += 1;
      return null;
    };
    await runAt(5_000);
    expect(reads).toBe(0);
    expect(stamps.isWaiting()).toBe(false);
    writeSync(fd, 'line 2\n');
    notice();
    expect(stamps.isWaiting()).toBe(false);
    closeSync(fd);
    expect(await runAt(10_000)).toEqual([path]);
    expect(reads).toBeGreaterThan(0);
  });

  it('has to be quiet for longer where nobody can tell', async () => {
    calls.intercept = (name) => (name === 'fcntl' ? 'EINVAL' : null);
    const { stamps, runAt } = await setUp();
    expect(await runAt(5_000)).toEqual([]);
    expect(stamps.dueAt()).toBe(60_000);
    expect(await runAt(60_000)).toEqual([path]);
  });
});
