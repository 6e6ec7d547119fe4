import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readEnvironment } from '../app/index.ts';
import { settingsFile } from '../hook/index.ts';
import { updateSettings } from './change-settings.ts';

it('settings that cannot be read are not replaced by defaults', () => {
  const environment = readEnvironment({ XDG_CONFIG_HOME: temporaryFolder() });
  const { configurationHome } = environment;
  const never = (): void =>
    void updateSettings(environment, (settings) => ({ ...settings, capture: 'never' }));
  never();
  const file = settingsFile(configurationHome);
  const broken = '{ "links": { "/code/private": null, }, "capture": "linked" }';
  mkdirSync(configurationHome, { recursive: true });
  writeFileSync(file, broken);
  expect(never).toThrow(`cannot read ${file}`);
  expect(readFileSync(file, 'utf8')).toBe(broken);
});
