import { expect, it } from 'vitest';
import { changesDatabase, memoryDatabase } from '../../../../test/changes-database.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { openChanges } from './changes.ts';
import type { Changes } from './changes.ts';

const path = 'vault/a.md' as VaultPath;
const text = Buffer.from('a\n');

/** A vault whose databases are created with the first write. */
async function openUnchanged(): Promise<Changes & { isOpened: () => boolean }> {
  const [vault, folder] = [temporaryFolder(), temporaryFolder()];
  layOut(vault, { 'Projects/plan.md': 'x\n' });
  let isAdopted = false;
  let isOpened = false;
  const changes = await openChanges({
    root: resolveRoot(vault),
    clock: Date.now,
    listeners: [],
    searchPath: process.env['PATH'] ?? '',
    state: {
      hasDurable: () => isAdopted,
      ensureAdopted() {
        isAdopted = true;
        return folder;
      },
      derive(make) {
        let made: ReturnType<typeof make> | null = null;
        const open = (): ReturnType<typeof make> => {
          isOpened = true;
          return (made ??= make({
            folder,
            durable: changesDatabase(),
            locks: memoryDatabase(),
            assertNotReplaced: () => undefined,
          }));
        };
        return { get: open, peek: () => made };
      },
    },
  });
  return { ...changes, isOpened: () => isOpened };
}

it('queries for the changes of a vault open no database before the first write', async () => {
  const changes = await openUnchanged();
  expect(changes.list({ limit: 9 })).toEqual([]);
  expect([
    changes.count(),
    changes.find('a'),
    changes.recentMassDeletion(),
    changes.undonePaths('a'),
  ]).toEqual([0, null, null, new Set()]);
  expect(changes.days(2)).toEqual({ today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), days: [], notes: [] });
  expect([await changes.isUserAuthored(path, text), await changes.isLastOwnWrite(path, text)]).toEqual([
    false,
    false,
  ]);
  expect(await changes.fileVersions(path)).toEqual([]);
  for (const decided of [changes.undo('a'), changes.restore('a', path), changes.approve('a')])
    expect(await decided).toEqual({ kind: 'not-found' });
  expect(await changes.reject('a')).toBe(false);
  expect([await changes.files(), await changes.completeTip()]).toEqual([[], null]);
  expect(await changes.baseline.findMissing([path])).toEqual([path]);
  expect((await changes.checkHistory()).recorded).toBe(0);
  expect(await changes.withExclusiveAccess(async (check) => check())).toBeUndefined();
  expect(changes.writer.recentActivity('mcp')).toMatchObject({ characters: 0, files: 0 });
  await changes.record();
  expect(await changes.recordExternalEdits([])).toEqual({ done: [], edited: [] });
  changes.flush();
  expect(changes.isOpened()).toBe(false);
});

it('queries for the changes of a vault read the databases once the first write has created them', async () => {
  const changes = await openUnchanged();
  const { writer } = changes;
  expect(changes.list({ limit: 9 })).toEqual([]);
  await writer.write([{ kind: 'create', path, after: text, mode: null }], { origin: 'test', summary: 'add' });
  expect(changes.list({ limit: 9 }).map(({ summary }) => summary)).toEqual(['add']);
  expect([changes.count(), await changes.isLastOwnWrite(path, text)]).toEqual([1, true]);
  expect((await changes.undo(changes.list({ limit: 1 })[0]?.id ?? '')).kind).toBe('written');
});
