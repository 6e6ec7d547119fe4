import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Environment } from '../app/index.ts';
import { readSettings, settingsFile } from '../hook/index.ts';
import type { SessionSettings } from '../hook/index.ts';

/** Replaces the session settings atomically, because a hook may read them at any moment. */
export function updateSettings(
  { configurationHome }: Environment,
  change: (settings: SessionSettings) => SessionSettings,
): SessionSettings {
  const settings = change(readSettings(configurationHome));
  const file = settingsFile(configurationHome);
  const temporaryFile = `${file}.${randomUUID()}`;
  mkdirSync(configurationHome, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporaryFile, `${JSON.stringify(settings, null, 2)}\n`, {
      flag: 'wx',
      flush: true,
      mode: 0o600,
    });
    renameSync(temporaryFile, file);
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  return settings;
}
