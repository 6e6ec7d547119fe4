import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../src/app/index.ts';
import { durableMigrations } from '../src/app/migrations.ts';
import { journalMigrations, latestChangesMigrations } from '../src/changes/index.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

it('a journal of an earlier version is brought up to date, and what is in it can be undone', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  layOut(vault, { 'a.md': 'new\n' });
  const database = new Database(join(state, 'keepsake.sqlite'));
  database.exec(journalMigrations[0]);
  database.pragma('user_version = 1');
  database.exec(
    `insert into transactions (id, at, origin, summary, state) values ('11111111-aaaa', 1, 'test', 'edit', 'applied');
     insert into changes values (1, 0, 'vault/a.md', cast('old' || char(10) as blob), cast('new' || char(10) as blob));`,
  );
  database.close();

  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  expect((await keepsake.changes.undo('11111111-aaaa')).kind).toBe('written');
  const run = keepsake.writeRun('person');
  expect(
    await run.view.look(
      'vault/a.md' as never,
      async (viewed) => viewed.kind === 'file' && String(await viewed.source.read(0, 100)),
    ),
  ).toContain('old');
});

it('a journal of a later version is refused, not guessed at', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  const database = new Database(join(state, 'keepsake.sqlite'));
  database.pragma('user_version = 99');
  database.close();
  await expect(openKeepsake({ vault, state, environment: readEnvironment() })).rejects.toThrow(
    /newer Keepsake/,
  );
});

it('what was approved before it was noted which change that made is taken back by its id, where there is no doubt', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  layOut(vault, { 'a.md': 'new\n' });
  const database = new Database(join(state, 'keepsake.sqlite'));
  const earlier = durableMigrations.slice(0, durableMigrations.indexOf(latestChangesMigrations[0]));
  for (const migration of earlier) database.exec(migration);
  database.pragma(`user_version = ${earlier.length}`);
  const insert = database.prepare(
    'insert into transactions (id, at, origin, summary, state) values (?, 1, ?, ?, ?)',
  );
  insert.run('11111111-aaaa', 'mail', 'edit', 'approved');
  insert.run('22222222-aaaa', 'mail', 'edit (approved)', 'applied');
  database.exec(
    `insert into changes values (2, 0, 'vault/a.md', cast('old' || char(10) as blob), cast('new' || char(10) as blob), null)`,
  );
  for (const id of ['33333333-aaaa', '44444444-aaaa']) insert.run(id, 'mail', 'twice', 'approved');
  for (const id of ['55555555-aaaa', '66666666-aaaa']) insert.run(id, 'mail', 'twice (approved)', 'applied');
  database.close();

  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  expect((await keepsake.changes.undo('11111111-aaaa')).kind).toBe('written');
  expect(readFileSync(join(vault, 'a.md'), 'utf8')).toContain('old');
  expect(await keepsake.changes.undo('33333333-aaaa')).toEqual({ kind: 'not-applied', state: 'approved' });
});
