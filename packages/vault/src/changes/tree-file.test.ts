import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openRoot } from '../vault/jail.ts';
import { writeTreeFile } from './tree-file.ts';

it('what a crash left of tree.md goes once it is old, however files are swapped', () => {
  const folder = temporaryFolder();
  layOut(folder, { '.keepsake-tree-1.tmp': 'new\n', '.keepsake-tree-1.tmp.old': 'old\n' });
  writeTreeFile(openRoot(folder), null, 'tree\n');
  expect(readdirSync(folder)).toHaveLength(3);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  writeTreeFile(openRoot(folder), null, 'tree\n');
  expect(readdirSync(folder)).toEqual(['tree.md']);
});
