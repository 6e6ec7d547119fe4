import { expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { createStaging } from './staged-changes.ts';

const [a, b] = ['vault/a.md', 'vault/folder/b.md'] as VaultPath[] as [VaultPath, VaultPath];
const [one, two, three] = ['one', 'two', 'three'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

it('bases a file that is staged twice on what it was at first, and forgets one that is so again', () => {
  const { stage, changes } = createStaging();
  stage(a, { before: one, after: two, keepsStamps: false });
  stage(a, { before: two, after: three, keepsStamps: true });
  expect([changes.before(a), changes.staged()]).toEqual([one, new Map([[a, three]])]);
  stage(a, { before: three, after: one, keepsStamps: true });
  expect([changes.before(a), changes.staged().size]).toEqual([undefined, 0]);
});

it('knows a file that was moved and then changed as the one that was moved, and drops both ends', () => {
  const { stage, changes } = createStaging();
  stage(b, { before: null, after: one, keepsStamps: true, from: a });
  stage(a, { before: one, after: null, keepsStamps: true });
  stage(b, { before: one, after: two, keepsStamps: false });
  expect([changes.movedTo(a), changes.moves()]).toEqual([b, new Map([[a, b]])]);
  changes.drop([a]);
  expect(changes.staged().size).toBe(0);
});

it('keeps a folder that gets a file', () => {
  const { stage, changes } = createStaging();
  changes.removeFolder('vault/folder' as VaultPath);
  stage(b, { before: null, after: one, keepsStamps: false });
  expect(changes.removedFolders().size).toBe(0);
});

it('goes back to a savepoint, and on with what another one saved', () => {
  const { stage, changes } = createStaging();
  stage(a, { before: one, after: two, keepsStamps: false });
  const goBack = changes.savepoint();
  stage(a, { before: two, after: three, keepsStamps: false });
  const saved = changes.save();
  goBack();
  expect(changes.staged()).toEqual(new Map([[a, two]]));
  const other = createStaging();
  other.changes.restore(saved);
  expect([other.changes.before(a), other.changes.staged()]).toEqual([one, new Map([[a, three]])]);
});
