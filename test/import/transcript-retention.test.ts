import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { temporaryFolder } from '../temporary-vault.ts';

it('doctor says once that Claude Code deletes sessions, unless the user has chosen a period', async () => {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  const keepsake = (...args: string[]) => runCommand(args, { variables: { HOME: home } });
  await keepsake('init', vault);
  mkdirSync(join(home, '.claude', 'projects'), { recursive: true });
  // The state folder exists once the vault was used.
  await keepsake('write', 'a.md', 'text', '--vault', vault);
  const says = async (): Promise<boolean> =>
    (await keepsake('doctor', '--vault', vault)).out.includes('Claude Code deletes sessions after 30 days');
  const settings = join(home, '.claude', 'settings.json');
  writeFileSync(settings, '{"cleanupPeriodDays": 365}');
  expect(await says()).toBe(false);
  writeFileSync(settings, '{}');
  expect([await says(), await says()]).toEqual([true, false]);
  expect(readFileSync(settings, 'utf8')).toBe('{}');
});
