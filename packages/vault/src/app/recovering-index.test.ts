import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { ChunkIndex } from '../search/index.ts';
import { createRecoveringIndex } from './recovering-index.ts';

function setUp() {
  const file = join(temporaryFolder(), 'index.sqlite');
  const opened: ChunkIndex[] = [];
  const held = createRecoveringIndex(file, (index) => {
    opened.push(index);
    return { index };
  });
  onTestFinished(() => held.close());
  return { file, opened, held };
}

const damage = (): Error => new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');

describe('recovering index', () => {
  it('opens the file on first use, once for all callers', async () => {
    const { file, opened, held } = setUp();
    expect(held.isOpen()).toBe(false);
    expect(existsSync(file)).toBe(false);
    await Promise.all([held.use(async () => 1), held.use(async () => 2)]);
    expect(held.isOpen()).toBe(true);
    expect(opened).toHaveLength(1);
  });

  it('replaces a damaged index once when two callers find the damage, and retries the work of both', async () => {
    const { opened, held } = setUp();
    const work = async ({ index }: { index: ChunkIndex }): Promise<ChunkIndex> => {
      await Promise.resolve();
      if (index === opened[0]) throw damage();
      return index;
    };
    const used = await Promise.all([held.use(work), held.use(work)]);
    expect(opened).toHaveLength(2);
    expect(used).toEqual([opened[1], opened[1]]);
  });

  it('retries the work only once', async () => {
    const { opened, held } = setUp();
    const attempt = held.use(async () => {
      throw damage();
    });
    await expect(attempt).rejects.toThrow('malformed');
    expect(opened).toHaveLength(2);
  });

  it('keeps the index when the work fails for another reason', async () => {
    const { opened, held } = setUp();
    const attempt = held.use(async () => {
      throw new Error('the model is offline');
    });
    await expect(attempt).rejects.toThrow('offline');
    await held.use(async () => undefined);
    expect(opened).toHaveLength(1);
  });

  it('opens a new index after a discard', async () => {
    const { file, opened, held } = setUp();
    await held.use(async () => undefined);
    held.discard();
    expect(held.isOpen()).toBe(false);
    expect(existsSync(file)).toBe(false);
    await held.use(async () => undefined);
    expect(opened).toHaveLength(2);
  });
});
