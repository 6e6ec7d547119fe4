import { expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { createStaging } from './staged-changes.ts';

const [a, b] = ['vault/a.md', 'vault/folder/b.md'] as VaultPath[] as [VaultPath, VaultPath];
const [one, two, three] = ['one', 'two', 'three'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

it('a file that is staged twice keeps its original content as base, and is unstaged when that content is staged', () => {
  const { stage, changes } = createStaging();
  stage(a, { before: one, after: two, keepsStamps: false });
  stage(a, { before: two, after: three, keepsStamps: true });
  expect([changes.before(a), changes.staged()]).toEqual([one, new Map([[a, three]])]);
  stage(a, { before: three, after: one, keepsStamps: true });
  expect([changes.before(a), changes.staged().size]).toEqual([undefined, 0]);
});

it('a file that is moved and then changed counts as moved, and its old and new path are unstaged together', () => {
  const { stage, changes } = createStaging();
  stage(b, { before: null, after: one, keepsStamps: true, from: a });
  stage(a, { before: one, after: null, keepsStamps: true });
  stage(b, { before: one, after: two, keepsStamps: false });
  expect([changes.movedTo(a), changes.moves()]).toEqual([b, new Map([[a, b]])]);
  changes.unstage([a]);
  expect(changes.staged().size).toBe(0);
});

it('a removed folder is kept after all if a file is staged in it', () => {
  const { stage, changes } = createStaging();
  changes.removeFolder('vault/folder' as VaultPath);
  stage(b, { before: null, after: one, keepsStamps: false });
  expect(changes.removedFolders().size).toBe(0);
});

it('staged changes can be reset to a savepoint, and restored from their serialized form', () => {
  const { stage, changes } = createStaging();
  stage(a, { before: one, after: two, keepsStamps: false });
  const goBack = changes.savepoint();
  stage(a, { before: two, after: three, keepsStamps: false });
  const saved = changes.serialize();
  goBack();
  expect(changes.staged()).toEqual(new Map([[a, two]]));
  const other = createStaging();
  other.changes.deserialize(saved);
  expect([other.changes.before(a), other.changes.staged()]).toEqual([one, new Map([[a, three]])]);
});
