import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Environment } from '../app/index.ts';
import { readSettings, settingsFile } from '../hook/index.ts';
import type { SessionSettings } from '../hook/index.ts';

/** Changes what sessions of AI clients have to do with a vault; a hook reads it at any moment and must not find half of it. */
export function changeSettings(
  { configurationHome }: Environment,
  change: (settings: SessionSettings) => SessionSettings,
): SessionSettings {
  const settings = change(readSettings(configurationHome));
  const file = settingsFile(configurationHome);
  const fresh = `${file}.${randomUUID()}`;
  mkdirSync(configurationHome, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(fresh, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx', flush: true, mode: 0o600 });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
  return settings;
}
