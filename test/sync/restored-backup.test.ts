import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUp, readEnvironment, restoreBackup } from '../../packages/vault/src/app/index.ts';
import { createMachines, identity } from './machines.ts';

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');
const plan = lines('# Plan', '', 'First.', '', 'Second.', '', 'Third.');

it('a note that changed since a backup gets its newest text after the backup was restored, without a question', async () => {
  const { machine, remote } = createMachines();
  const names = ['both', 'theirs', 'ours', 'merged', 'edited', 'deleted'];
  const laptop = await machine('laptop', {
    ...identity,
    ...Object.fromEntries(names.map((name) => [`${name}.md`, plan])),
    'photo.png': 'first photo',
  });
  await laptop.sync();
  const desktop = await machine('desktop');
  await desktop.sync();

  const [notYetSent, alsoNotSent] = [`${plan}Only in the backup.\n`, plan.replace('Third', 'Last')];
  laptop.put({ 'ours.md': notYetSent, 'merged.md': alsoNotSent });
  await laptop.keepsake.changes.recordExternalEdits(['vault/ours.md', 'vault/merged.md'] as never);
  const backup = join(laptop.folder, '../backup');
  await backUp(laptop.keepsake, backup);
  // What the backup has of these two notes was never sent.
  laptop.put({ 'ours.md': plan, 'merged.md': plan, 'both.md': `${plan}Laptop.\n` });
  await laptop.sync();
  await desktop.sync();
  desktop.put({
    'both.md': plan.replace('First', 'Third').replace('Second', 'Fourth'),
    'theirs.md': `${plan}Desktop.\n`,
    'merged.md': plan.replace('First', 'Zeroth'),
    'edited.md': plan.replace('First', 'Zeroth'),
    'deleted.md': null,
    'photo.png': 'second photo',
  });
  await desktop.sync();

  await laptop.keepsake.close();
  for (const folder of [laptop.folder, laptop.state]) rmSync(folder, { recursive: true });
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  await restoreBackup(backup, { to: laptop.folder, state: laptop.state, environment });
  const again = await machine('laptop');
  again.put({ 'edited.md': `${plan}After the restore.\n` });
  const report = await again.keepsake.sync.run(remote);
  expect(report.conflicts).toEqual([]);
  expect(report.merged.toSorted()).toEqual(['vault/edited.md', 'vault/merged.md']);
  expect(again.files()).toMatchObject({
    'both.md': desktop.read('both.md'),
    'theirs.md': desktop.read('theirs.md'),
    'ours.md': notYetSent,
    'merged.md': alsoNotSent.replace('First', 'Zeroth'),
    'edited.md': `${plan.replace('First', 'Zeroth')}After the restore.\n`,
    // A backup is often restored for a file that was deleted by mistake.
    'deleted.md': plan,
    'photo.png': 'second photo',
  });
  await desktop.sync();
  expect(desktop.files()).toEqual(again.files());
});

it('a folder without its sync marker gets newer texts of notes that it has unchanged, also if its history is newer than its files', async () => {
  const { machine } = createMachines();
  const laptop = await machine('laptop', { ...identity, 'old.md': plan, 'old-with-edit.md': plan });
  await laptop.sync();
  const newer = { 'old.md': `${plan}Newer.\n`, 'old-with-edit.md': `${plan}Newer.\n` };
  laptop.put(newer);
  await laptop.sync();
  for (const name of readdirSync(join(laptop.folder, '.keepsake')))
    if (name.startsWith('sync-')) rmSync(join(laptop.folder, '.keepsake', name));
  laptop.put({ 'old.md': plan, 'old-with-edit.md': `${plan}Edited.\n` });
  expect(await laptop.sync()).toMatchObject({
    received: ['vault/old.md'],
    conflicts: ['vault/old-with-edit.md'],
  });
  expect(laptop.read('old.md')).toBe(newer['old.md']);
});
