import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openVaultDirectory } from './vault-directory.ts';

it('the vault directory lists the folder at most once per second, however many unknown names are requested', () => {
  const folder = temporaryFolder();
  const vault = (name: string): string => join(folder, name);
  for (const name of ['Work', 'Notes']) mkdirSync(join(vault(name), '.keepsake'), { recursive: true });
  let [now, listed] = [0, 0];
  const directory = openVaultDirectory(folder, {
    clock: () => now,
    discover: () => {
      listed += 1;
      return new Map([
        ['work', vault('Work')],
        ...(listed > 1 ? ([['notes', vault('Notes')]] as const) : []),
      ]);
    },
  });
  for (let request = 0; request < 1_000; request += 1)
    expect(directory.find(`unknown-${request}`)).toBeUndefined();
  expect([directory.find('work'), directory.find('notes'), listed]).toEqual([vault('Work'), undefined, 1]);
  now = 1_000;
  expect([directory.find('work'), listed]).toEqual([vault('Work'), 1]);
  expect([directory.find('notes'), directory.find('unknown'), listed]).toEqual([
    vault('Notes'),
    undefined,
    2,
  ]);
  rmSync(vault('Work'), { recursive: true });
  expect(directory.find('work')).toBeUndefined();
});
