import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { bucketPath, childPath, initVault } from '../vault/index.ts';
import { diagnose } from './doctor.ts';
import { readEnvironment } from './environment.ts';
import { openKeepsake } from './keepsake.ts';

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

/** A vault with one recorded change, closed. */
async function createUsedVault() {
  const [vault, state] = [join(temporaryFolder(), 'vault'), temporaryFolder()];
  initVault(vault, { language: 'en', home: temporaryFolder(), clock: Date.now });
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
  const options = { vault, state, environment };
  const write = async (name: string): Promise<void> => {
    const keepsake = await openKeepsake(options);
    const path = childPath(bucketPath, name);
    const create = { kind: 'create' as const, path, after: Buffer.from('one\n'), mode: null };
    const written = await keepsake.changes.writer.write([create], { origin: 'test', summary: 'test' });
    expect(written.kind).toBe('written');
    await keepsake.close();
  };
  await write('a.md');
  /** Overwrites the start of a database, as a failing disk may do. */
  const damage = (file: string): void => {
    discardLog(join(state, file));
    const bytes = readFileSync(join(state, file));
    writeFileSync(join(state, file), bytes.fill(0, 0, 200));
  };
  const failures = async () => (await diagnose(options)).filter(({ status }) => status === 'failed');
  return { options, state, write, damage, failures };
}

function discardLog(file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}

describe('database check', () => {
  it.each([
    ['emptied', (file: string) => writeFileSync(file, '')],
    ['deleted', (file: string) => rmSync(file)],
  ])('reports that the database was %s until the user dismisses it', async (_how, lose) => {
    const { state, write, failures } = await createUsedVault();
    expect(await failures()).toEqual([]);
    discardLog(join(state, 'keepsake.sqlite'));
    lose(join(state, 'keepsake.sqlite'));
    await write('b.md');
    const loss = {
      name: 'lost data',
      message: expect.stringContaining('was empty or missing although there is a history'),
      hint: expect.stringContaining('restore a backup'),
    };
    expect(await failures()).toMatchObject([loss]);
    await write('c.md');
    expect(await failures()).toMatchObject([loss]);
    rmSync(join(state, 'keepsake.sqlite.lost'));
    expect(await failures()).toEqual([]);
  });

  it('names a damaged database and what to do, and notes can still be read', async () => {
    const { options, damage, failures } = await createUsedVault();
    damage('keepsake.sqlite');
    expect(await failures()).toMatchObject([
      {
        name: 'database',
        message: expect.stringContaining('keepsake.sqlite'),
        hint: expect.stringContaining('restore a backup'),
      },
    ]);
    const keepsake = await openKeepsake(options);
    onTestFinished(async () => void (await keepsake.close()));
    expect(await keepsake.readFile(childPath(bucketPath, 'a.md'))).toMatchObject({ kind: 'file' });
    expect(() => keepsake.changes.count()).toThrow('file is not a database');
  });

  it('recreates a damaged lock database', async () => {
    const { write, damage, failures } = await createUsedVault();
    damage('lock.sqlite');
    expect(await failures()).toEqual([]);
    await write('b.md');
  });
});

describe('file system check', () => {
  const without: Record<string, Record<string, string>> = {
    nothing: {},
    'hard links': { linkSync: 'EPERM' },
    'links, exchange and leases': { linkSync: 'EPERM', renameat2: 'EINVAL', fcntl: 'EINVAL' },
  };

  it.each([
    ['nothing', 'files are replaced safely while other programs use them'],
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

it('diagnose names the lines of changelogs that have no effect', async () => {
  const vault = join(temporaryFolder(), 'vault');
  initVault(vault, { language: 'en', home: temporaryFolder(), clock: Date.now });
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
  const check = async () => {
    const checks = await diagnose({ vault, state: temporaryFolder(), environment });
    return checks.find(({ name }) => name === 'changelogs');
  };
  const day = '# 2026-11-17\n\n## A\n\n# 2026-11-18\n\n## B\n';
  writeFileSync(join(vault, 'changelog.md'), `${day}when: 2026-09-24\nreplaces: changelog.md § A\n`);
  expect(await check()).toMatchObject({ status: 'ok' });
  writeFileSync(join(vault, 'changelog.md'), `${day}when: 2026-02-31\nreplaces: changelog.md § C\n`);
  expect(await check()).toMatchObject({
    status: 'warning',
    message:
      'lines without effect\nvault/changelog.md:8: when: 2026-02-31\nvault/changelog.md: replaces: vault/changelog.md § C',
  });
});
