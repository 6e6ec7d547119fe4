import { execFileSync } from 'node:child_process';
import { readFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

const derived = ['catalogue.sqlite', 'index.sqlite', 'upkeep.sqlite', 'sync.sqlite'];

type Place = { state: string; remote: string; run: (...args: string[]) => Promise<Ran> };

/** A vault with all databases, and words to forget. */
async function createPlace(): Promise<Place> {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  const [state, remote] = [join(home, 'state'), join(home, 'remote.git')];
  const notes = Array.from({ length: 60 }, (_, n) => [
    `notes/n${n}.md`,
    `# Note ${n}\n\nzebrafinch-7431 sings ${n}.\n`,
  ]);
  layOut(vault, Object.fromEntries(notes) as Record<string, string>);
  const variables = { HOME: home };
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const run: Place['run'] = (...args) =>
    runCommand([...args, '--vault', vault, '--state', state], { variables, input: 'more\n' });
  expect((await run('init')).code).toBe(0);
  for (const args of [
    ['append', 'notes/n1.md'],
    ['find', 'sings', '--all'],
    ['sync', remote],
  ])
    expect(await run(...args)).toMatchObject({ code: 0, err: '' });
  return { state, remote, run };
}

/** Overwrites the inner pages of a database, which opening it does not read. */
function damage(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(truncate)');
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, size));
}

function isIntact(file: string): boolean {
  const database = new Database(file);
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok';
  } catch {
    return false;
  } finally {
    database.close();
  }
}

function locksOf(state: string): unknown[] {
  const database = new Database(join(state, 'lock.sqlite'), { readonly: true });
  const tables = ['writer', 'historian', 'sync', 'forget'];
  const exists = database.prepare('select 1 from sqlite_master where name = ?');
  const rows = tables.flatMap((table) =>
    exists.get(table) === undefined ? [] : [database.prepare(`select * from ${table}`).get()],
  );
  database.close();
  return rows;
}

describe('a damaged database that can be rebuilt', () => {
  const commands: [string, string[]][] = [
    ['find', ['find', 'sings', '--all']],
    ['append', ['append', 'notes/n1.md']],
    ['history', ['history']],
    ['sync', ['sync']],
    ['forget', ['forget', 'zebrafinch-7431', '--yes']],
  ];
  it.each(commands)('is reported by doctor, and not noticed by a user of %s', async (_, command) => {
    const { state, run } = await createPlace();
    const files = derived.map((name) => join(state, name)).filter((file) => existsSync(file));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) damage(file);
    const bytes = files.map((file) => readFileSync(file));
    const { code, out } = await run('doctor');
    expect(code).toBe(0);
    for (const file of files) expect(out).toContain(`${file} is damaged`);
    expect(files.map((file) => readFileSync(file))).toEqual(bytes);
    const ran = await run(...command);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out + ran.err).not.toMatch(/malformed|corrupt|not a database/i);
    for (const args of [['find', 'note', '--all'], ['append', 'notes/n1.md'], ['sync']])
      expect(await run(...args)).toMatchObject({ code: 0, err: '' });
    expect(files.filter((file) => !isIntact(file))).toEqual([]);
    expect(readdirSync(state).filter((name) => name.endsWith('.damaged'))).toEqual([]);
    expect((await run('doctor')).out).not.toContain('is damaged');
  });

  it.each(commands)('is not noticed without doctor either: %s', async (_, command) => {
    const { state, run } = await createPlace();
    const files = derived.map((name) => join(state, name)).filter((file) => existsSync(file));
    for (const file of files) damage(file);
    const ran = await run(...command);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out + ran.err).not.toMatch(/malformed|corrupt|not a database/i);
  });
});

describe('keepsake doctor', () => {
  it('takes no lock, and completes nothing that another process has begun', async () => {
    const { state, run } = await createPlace();
    const database = new Database(join(state, 'lock.sqlite'));
    for (const table of ['writer', 'historian', 'sync'])
      database.exec(`update ${table} set owner = 'x', pid = 1, host = 'elsewhere#1', until = 0`);
    database.close();
    const intent = JSON.stringify({
      version: 2,
      texts: ['zebrafinch-7431'],
      contents: [],
      salt: 's',
      language: 'en',
    });
    writeFileSync(join(state, 'forgetting.json'), intent);
    const before = locksOf(state);
    expect(before).toHaveLength(3);
    expect((await run('doctor')).code).toBe(0);
    expect(locksOf(state)).toEqual(before);
    expect(readFileSync(join(state, 'forgetting.json'), 'utf8')).toBe(intent);
  });
});
