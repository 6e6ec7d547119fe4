import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

const words = 'zebrafinch-7431';

/** Opens and closes a database in another process; returns the rows that this process sees. */
function countElsewhere(file: string): number {
  const module = join(import.meta.dirname, '../node_modules/better-sqlite3');
  const script = `
    const database = new (require(${JSON.stringify(module)}))(${JSON.stringify(file)});
    console.log(database.prepare('select count(*) from witness').pluck().get());
    database.close();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return Number(stdout);
}

describe('forgetting in a process that has the databases open', () => {
  it('leaves them usable by other processes', async () => {
    const home = temporaryFolder();
    const vault = join(home, 'vault');
    const variables = { HOME: home, XDG_STATE_HOME: join(home, 'state') };
    layOut(vault, { 'a.md': `The safe opens with ${words}.\n` });
    const run = (...args: string[]) => runCommand(args, { cwd: vault, variables, input: 'more' });
    expect((await run('init', '.')).code).toBe(0);
    expect((await run('append', 'a.md')).code).toBe(0);
    const root = join(home, 'state', 'keepsake');
    const states = readdirSync(root, { recursive: true, withFileTypes: true });
    const files = states.flatMap(({ name, parentPath }) =>
      /^(?:keepsake|lock|catalogue)\.sqlite$/.test(name) ? [join(parentPath, name)] : [],
    );
    expect(files).toHaveLength(3);
    const opened = files.map((file) => {
      const database = new Database(file);
      onTestFinished(() => void database.close());
      database.exec('create table witness (one integer); insert into witness values (1)');
      return { file, database };
    });
    expect((await run('forget', words, '--yes')).code).toBe(0);
    for (const { file, database } of opened) {
      // The first other process to close the database is not the last to use it.
      expect(countElsewhere(file)).toBe(1);
      database.exec('insert into witness values (2)');
      expect(countElsewhere(file)).toBe(2);
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    }
  });
});
