import { expect, it } from 'vitest';
import { memoryDatabase } from '../../../../test/changes-database.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { CopyMergeResult } from '../changes/index.ts';
import { childPath, resolveRoot, rootPath } from '../vault/index.ts';
import { createConflictCopyMerger } from './conflict-copy-merger.ts';
import { createFileStateStore } from './file-state-store.ts';

it('the conflict copy merger retries a busy copy after the quiet period, and an undecided copy only after it or its note changes', async () => {
  const folder = temporaryFolder();
  layOut(folder, { 'a.md': 'a', 'a 2.md': 'b' });
  const copy = {
    path: childPath(rootPath, 'a 2.md'),
    original: childPath(rootPath, 'a.md'),
    isCertain: true,
  };
  const outcomes: CopyMergeResult[] = [{ kind: 'busy' }, { kind: 'unchanged' }];
  let now = 0;
  const keeper = createConflictCopyMerger({
    root: resolveRoot(folder),
    catalogue: { conflictCopies: () => [copy] },
    settleCopy: async () =>
      outcomes.shift() ?? expect.unreachable('the copy was undecided and must not be tried again'),
    askAboutMarkers: async () => 'unchanged',
    askAboutLeftCopy: async () => null,
    changes: { recordExternalEdits: async () => ({ done: [], edited: [] }) },
    memory: createFileStateStore(memoryDatabase()),
    stamps: { forget: () => undefined },
    report: () => undefined,
    monotonicNow: () => now,
    quietMs: 10,
  });
  const pass = async (at: number): Promise<number> => {
    now = at;
    await keeper.refresh();
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
