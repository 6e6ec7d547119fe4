import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { laidOut } from '../../../../test/temporary-vault.ts';
import { formatLocalTime } from '../contract/index.ts';
import { resolveRoot, computeRevision } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileStateStore } from './file-state-store.ts';
import { createPendingStamps, needsStamps } from './pending-stamps.ts';

const calls = interceptCalls();
afterEach(() => void (calls.intercept = () => null));

const [old, now] = [computeRevision(Buffer.from('old')), computeRevision(Buffer.from('now'))];
const [monday, friday] = [formatLocalTime(1_752_480_000_000), formatLocalTime(1_752_825_600_000)];
const seen = { revision: old, updated: monday };

describe('new stamps', () => {
  it.each([
    ['for changed text with the old date', { revision: now, updated: monday, hasCorrectTokens: true }, seen],
    [
      'for changed text with the old date and a wrong token count',
      { revision: now, updated: monday, hasCorrectTokens: false },
      seen,
    ],
    [
      'if the user changed the date but not the token count',
      { revision: now, updated: friday, hasCorrectTokens: false },
      seen,
    ],
    ['for a new text without stamps', { revision: now, updated: null, hasCorrectTokens: false }, undefined],
    [
      'for a new text without a date whose token count happens to be right',
      { revision: now, updated: null, hasCorrectTokens: true },
      undefined,
    ],
    ['if the date was removed', { revision: now, updated: null, hasCorrectTokens: true }, seen],
  ])('are needed %s', (_, file, last) => {
    expect(needsStamps({ ...file, wasSynced: false }, last, false)).toBe(true);
  });
});

describe('existing stamps', () => {
  it.each([
    [
      'if only the file times changed',
      { revision: old, updated: monday, hasCorrectTokens: false },
      seen,
      true,
    ],
    [
      'if another machine has set them',
      { revision: now, updated: friday, hasCorrectTokens: true },
      seen,
      false,
    ],
    [
      'in a new text that is already stamped',
      { revision: now, updated: friday, hasCorrectTokens: true },
      undefined,
      false,
    ],
    [
      'in a text that was only moved',
      { revision: old, updated: null, hasCorrectTokens: false },
      undefined,
      true,
    ],
  ])('are kept %s', (_, file, last, isKnownElsewhere) => {
    expect(needsStamps({ ...file, wasSynced: false }, last, isKnownElsewhere)).toBe(false);
  });
});

it('a synced note is stamped only by the machine where it was written', () => {
  const file = { revision: now, updated: monday, hasCorrectTokens: false, wasSynced: true };
  expect(needsStamps(file, seen, false)).toBe(false);
});

describe('a note that another program has open for writing', () => {
  const path = 'vault/log.md' as VaultPath;

  /** A note that was just queued and is due in five seconds. */
  async function setUp() {
    const { folder, changes } = await roomVault({ ...laidOut, 'log.md': 'line 1\n' });
    const database = new Database(':memory:');
    onTestFinished(() => void database.close());
    const time = { at: 0 };
    const stamps = createPendingStamps({
      root: resolveRoot(folder),
      memory: createFileStateStore(database),
      writer: changes.writer,
      stamps: changes.stamps,
      isLastOwnWrite: (changed, bytes) => changes.isLastOwnWrite(changed, bytes),
      clock: Date.now,
      monotonicNow: () => time.at,
      stampQuietMs: 5_000,
      undetectableStampQuietMs: 60_000,
      stampRetryDelayMs: 1,
    });
    const file = join(folder, 'log.md');
    const notice = (): void => {
      const { size, mtimeMs: mtime, ctimeMs: ctime } = statSync(file);
      stamps.add(path, { size, mtime, ctime, tokens: null, updated: null });
    };
    const runAt = (at: number): Promise<VaultPath[]> => {
      time.at = at;
      return stamps.run(() => false);
    };
    notice();
    return { stamps, file, runAt, notice };
  }

  it('is stamped only after the program has closed it, and keeps all lines', async () => {
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

  it('is not read meanwhile and does not count as pending', async () => {
    const { file, stamps, runAt, notice } = await setUp();
    expect(stamps.hasPending()).toBe(true);
    const fd = openSync(file, 'a');
    let reads = 0;
    calls.intercept = (name) => {
      if (name === 'readSync') reads += 1;
      return null;
    };
    await runAt(5_000);
    expect(reads).toBe(0);
    expect(stamps.hasPending()).toBe(false);
    writeSync(fd, 'line 2\n');
    notice();
    expect(stamps.hasPending()).toBe(false);
    closeSync(fd);
    expect(await runAt(10_000)).toEqual([path]);
    expect(reads).toBeGreaterThan(0);
  });

  it('needs a longer quiet period where open writers cannot be detected', async () => {
    calls.intercept = (name) => (name === 'fcntl' ? 'EINVAL' : null);
    const { stamps, runAt } = await setUp();
    expect(await runAt(5_000)).toEqual([]);
    expect(stamps.dueAt()).toBe(60_000);
    expect(await runAt(60_000)).toEqual([path]);
  });
});
