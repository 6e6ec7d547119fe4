import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { initVault } from '../vault/index.ts';
import { diagnose } from './doctor.ts';
import { readEnvironment } from './environment.ts';

const calls = interceptCalls();

it('what to do is shown whole, whatever the names in it', async () => {
  const vault = join(temporaryFolder(), 'work; notes');
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
  expect((await diagnose({ vault, environment })).at(-1)).toEqual({
    name: 'vault',
    status: 'failed',
    message: `cannot open ${vault}`,
    mend: `create a vault there with: keepsake init ${vault}`,
  });
});

describe('how files are changed', () => {
  const without: Record<string, Record<string, string>> = {
    nothing: {},
    'hard links': { linkSync: 'EPERM' },
    'links, exchange and leases': { linkSync: 'EPERM', renameat2: 'EINVAL', fcntl: 'EINVAL' },
  };

  it.each([
    ['nothing', 'exchanged with the old one in one step; a new one is linked into its place; a note that'],
    ['hard links', 'it has no hard links, so a new one is moved into its place'],
    ['links, exchange and leases', 'it cannot exchange files, so a changed note is missing for a moment'],
    ['links, exchange and leases', 'a new one is renamed into its place after a last look'],
    ['links, exchange and leases', 'they are stamped after a minute of quiet'],
  ])('is said where there is no lack, or a lack of %s', async (lack, expected) => {
    calls.intercept = (name) => without[lack]?.[name] ?? null;
    onTestFinished(() => void (calls.intercept = () => null));
    const vault = join(temporaryFolder(), 'vault');
    initVault(vault, { language: 'en', home: temporaryFolder(), clock: Date.now });
    const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
    const checks = await diagnose({ vault, state: temporaryFolder(), environment });
    const found = checks.find(({ name }) => name === 'file system');
    expect(found?.status).toBe('ok');
    expect(found?.message).toContain(expected);
    expect(readdirSync(vault).filter((name) => name.startsWith('.keepsake-'))).toEqual([]);
  });
});
