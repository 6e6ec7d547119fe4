import { expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { statesDoneDay } from './obsidian-setting.ts';
import type { VaultRoot } from './open-path.ts';

const enabled = '["dataview","obsidian-tasks-plugin"]';

it.each([
  [null, null, false],
  ['["dataview"]', '{"setDoneDate":true}', false],
  ['{', null, false],
  [enabled, null, true],
  [enabled, '{"setDoneDate":true}', true],
  [enabled, '{"setDoneDate":false}', false],
  [enabled, 'damaged', true],
])('plugins %s with settings %s state the done day: %s', (plugins, settings, expected) => {
  const root = temporaryFolder();
  if (plugins !== null) layOut(root, { '.obsidian/community-plugins.json': plugins });
  if (settings !== null) layOut(root, { '.obsidian/plugins/obsidian-tasks-plugin/data.json': settings });
  expect(statesDoneDay(root as VaultRoot)).toBe(expected);
});
