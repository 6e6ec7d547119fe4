import { mkdirSync } from 'node:fs';
import { AppError, replaceFile } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { parseSettings, settingsFile } from '../hook/index.ts';
import type { SessionSettings } from '../hook/index.ts';

/**
 * Replaces the session settings atomically, because a hook may read them at any moment. Throws if the current settings
 * cannot be read: writing the defaults would drop the user's links and excluded folders.
 */
export function updateSettings(
  { configurationHome }: Environment,
  change: (settings: SessionSettings) => SessionSettings,
): SessionSettings {
  const file = settingsFile(configurationHome);
  const current = parseSettings(configurationHome);
  if (current === null)
    throw new AppError('bad-configuration', `cannot read ${file}`, {
      hint: 'fix or delete it; it contains the links and excluded folders of this machine',
    });
  const settings = change(current);
  mkdirSync(configurationHome, { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  return settings;
}
