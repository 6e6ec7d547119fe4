import { expect, it } from 'vitest';
import { memoryDatabase } from '../../../../test/changes-database.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { SettledCopy } from '../changes/index.ts';
import { childPath, openRoot, rootPath } from '../vault/index.ts';
import { createCopyKeeper } from './copy-keeper.ts';
import { createMemory } from './memory.ts';

it('a copy that somebody is writing is tried again once it is quiet, and one that is left only when it changes', async () => {
  const folder = temporaryFolder();
  layOut(folder, { 'a.md': 'a', 'a 2.md': 'b' });
  const copy = {
    path: childPath(rootPath, 'a 2.md'),
    original: childPath(rootPath, 'a.md'),
    isCertain: true,
  };
  const outcomes: SettledCopy[] = [{ kind: 'disturbed' }, { kind: 'left' }];
  let now = 0;
  const keeper = createCopyKeeper({
    root: openRoot(folder),
    catalogue: { conflictCopies: () => [copy] },
    settleCopy: async () => outcomes.shift() ?? expect.unreachable('it was left'),
    askAboutMarkers: async () => 'left',
    askAboutLeftCopy: async () => null,
    changes: { recordOutside: async () => ({ done: [], edited: [] }) },
    memory: createMemory(memoryDatabase()),
    stamps: { forget: () => undefined },
    report: () => undefined,
    elapsed: () => now,
    quiet: 10,
  });
  const pass = async (at: number): Promise<number> => {
    now = at;
    await keeper.notice();
    await keeper.run(() => false);
    return keeper.dueAt();
  };
  expect(await pass(0)).toBe(10);
  expect(await pass(10)).toBe(20);
  expect(await pass(20)).toBe(Infinity);
  expect(await pass(30)).toBe(Infinity);
  layOut(folder, { 'a.md': 'longer' });
  expect(await pass(40)).toBe(50);
});
