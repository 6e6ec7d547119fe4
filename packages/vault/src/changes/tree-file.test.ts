import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/open-path.ts';
import { writeTreeFile } from './tree-file.ts';

it('writing tree.md removes its old temporary files that a crash left behind', () => {
  const folder = temporaryFolder();
  layOut(folder, { '.keepsake-tree-1.tmp': 'new\n', '.keepsake-tree-1.tmp.old': 'old\n' });
  writeTreeFile(resolveRoot(folder), null, 'tree\n');
  expect(readdirSync(folder)).toHaveLength(3);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  writeTreeFile(resolveRoot(folder), null, 'tree\n');
  expect(readdirSync(folder)).toEqual(['tree.md']);
});
