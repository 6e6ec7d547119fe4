import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { initVault } from '../vault/index.ts';
import { diagnose } from './doctor.ts';
import { readEnvironment } from './environment.ts';

const calls = interceptCalls();

it('diagnose does not cut off its advice at a semicolon in a path', async () => {
  const vault = join(temporaryFolder(), 'work; notes');
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
  expect((await diagnose({ vault, environment })).at(-1)).toEqual({
    name: 'vault',
    status: 'failed',
    message: `cannot open ${vault}`,
    hint: `create a vault there with: keepsake init ${vault}`,
  });
});

describe('file system check', () => {
  const without: Record<string, Record<string, string>> = {
    nothing: {},
    'hard links': { linkSync: 'EPERM' },
    'links, exchange and leases': { linkSync: 'EPERM', renameat2: 'EINVAL', fcntl: 'EINVAL' },
  };

  it.each([
    [
      'nothing',
      'files are replaced atomically; new files are created with hard links; files open for writing are detected',
    ],
    ['hard links', 'no hard links: new files are moved into place'],
    ['links, exchange and leases', 'no atomic exchange: a file is briefly missing while it is replaced'],
    ['links, exchange and leases', 'no hard links: new files are renamed into place after a check'],
    ['links, exchange and leases', 'files are stamped after a minute without changes'],
  ])('reports the fallbacks on a file system that lacks %s: %s', async (lack, expected) => {
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
