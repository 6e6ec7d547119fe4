import { expect, it } from 'vitest';
import { changesDatabase, memoryDatabase } from '../../../../test/changes-database.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { openChanges } from './changes.ts';
import type { Changes } from './changes.ts';

const path = 'vault/a.md' as VaultPath;
const text = Buffer.from('a\n');

/** A vault whose databases are not made before the first write. */
async function openUnchanged(): Promise<Changes & { isOpened: () => boolean }> {
  const [vault, folder] = [temporaryFolder(), temporaryFolder()];
  layOut(vault, { 'Projects/plan.md': 'x\n' });
  let isAdopted = false;
  let isOpened = false;
  const changes = await openChanges({
    root: openRoot(vault),
    clock: Date.now,
    listeners: [],
    searchPath: process.env['PATH'] ?? '',
    state: {
      hasDurable: () => isAdopted,
      adopt() {
        isAdopted = true;
        return folder;
      },
      follow(make) {
        let made: ReturnType<typeof make> | null = null;
        const open = (): ReturnType<typeof make> => {
          isOpened = true;
          return (made ??= make({
            folder,
            durable: changesDatabase(),
            locks: memoryDatabase(),
            confirm: () => undefined,
          }));
        };
        return { open, present: () => made };
      },
    },
  });
  return { ...changes, isOpened: () => isOpened };
}

it('answers everything of a vault that was never changed without opening a database', async () => {
  const changes = await openUnchanged();
  expect(changes.list({ limit: 9 })).toEqual([]);
  expect([changes.count(), changes.find('a'), changes.loss(), changes.takenBack('a')]).toEqual([
    0,
    null,
    null,
    new Set(),
  ]);
  expect(changes.days(2)).toEqual({ today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), days: [], notes: [] });
  expect([await changes.isPersons(path, text), await changes.isAsLeft(path, text)]).toEqual([false, false]);
  expect(await changes.versionsOf(path)).toEqual([]);
  for (const decided of [changes.undo('a'), changes.restore('a', path), changes.approve('a')])
    expect(await decided).toEqual({ kind: 'unknown' });
  expect(await changes.reject('a')).toBe(false);
  expect([await changes.files(), await changes.completeTip()]).toEqual([[], null]);
  expect(await changes.baseline.missing([path])).toEqual([path]);
  expect((await changes.lookAtHistory()).recorded).toBe(0);
  expect(await changes.whileStill(async (check) => check())).toBeUndefined();
  expect(changes.writer.lately('mcp')).toMatchObject({ characters: 0, files: 0 });
  await changes.record();
  expect(await changes.recordOutside([])).toEqual({ done: [], edited: [] });
  changes.flush();
  expect(changes.isOpened()).toBe(false);
});

it('answers from the databases as soon as the first write has made them', async () => {
  const changes = await openUnchanged();
  const { writer } = changes;
  expect(changes.list({ limit: 9 })).toEqual([]);
  await writer.write([{ kind: 'create', path, after: text, mode: null }], { origin: 'test', summary: 'add' });
  expect(changes.list({ limit: 9 }).map(({ summary }) => summary)).toEqual(['add']);
  expect([changes.count(), await changes.isAsLeft(path, text)]).toEqual([1, true]);
  expect((await changes.undo(changes.list({ limit: 1 })[0]?.id ?? '')).kind).toBe('written');
});
