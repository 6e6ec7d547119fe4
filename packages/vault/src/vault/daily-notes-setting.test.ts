import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readDailyNotesSetting } from './daily-notes-setting.ts';
import type { VaultRoot } from './open-path.ts';

function read(text: string) {
  const root = temporaryFolder();
  layOut(root, { '.obsidian/daily-notes.json': text });
  return readDailyNotesSetting(root as VaultRoot);
}

it('reads folder, format and template, with the defaults of Obsidian', () => {
  expect(
    read('{"folder":"/Journal/","format":"YYYY/MM/DD","template":"Templates/Day.md","autorun":true}'),
  ).toEqual({
    folder: 'Journal',
    format: 'YYYY/MM/DD',
    template: 'Templates/Day',
  });
  expect(read('{}')).toEqual({ folder: '', format: 'YYYY-MM-DD', template: null });
});

it.each([
  '',
  'null',
  '[',
  '{"folder":7}',
  `{"format":"${'Y'.repeat(501)}"}`,
  `{"x":"${'x'.repeat(10_000)}"}`,
])('ignores %j', (text) => {
  expect(read(text)).toBeNull();
});

it('ignores a link that leads out of the vault', () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  layOut(outside, { 'daily-notes.json': '{"folder":"secret"}' });
  symlinkSync(outside, join(root, '.obsidian'));
  expect(readDailyNotesSetting(root as VaultRoot)).toBeNull();
  const other = temporaryFolder();
  mkdirSync(join(other, '.obsidian'));
  symlinkSync(join(outside, 'daily-notes.json'), join(other, '.obsidian/daily-notes.json'));
  expect(readDailyNotesSetting(other as VaultRoot)).toBeNull();
});
