import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Two machines with a home folder each, and a remote. */
function setUp() {
  const place = temporaryFolder();
  const remote = join(place, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const machine = (name: string) => {
    const [home, folder] = [join(place, name), join(place, `vault-${name}`)];
    for (const each of [home, folder]) mkdirSync(each);
    const states = join(home, '.local/state/keepsake');
    return {
      folder,
      states,
      run: async (args: string[], cwd = folder): Promise<Ran> => {
        const ran = await runCommand(args, { cwd, variables: { HOME: home } });
        expect(ran.err).not.toMatch(/^error/m);
        return ran;
      },
      leftOvers: () => readdirSync(states).filter((each) => each.startsWith('path-')),
      filesWith: (words: string) =>
        readdirSync(home, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(words)),
    };
  };
  return { remote, a: machine('a'), b: machine('b') };
}

const note = { 'zorblax.md': '# Title Zorblax\n\nabout Zorblax\n' };

describe('the state of a folder from before it was a vault', () => {
  it('is deleted when a sync has filled the folder, so that forgetting reaches every word', async () => {
    const { remote, a, b } = setUp();
    await a.run(['init', '.']);
    layOut(a.folder, note);
    await a.run(['sync', remote]);
    await b.run(['sync', remote]);
    expect(b.leftOvers()).toEqual([]);
    await a.run(['forget', 'Zorblax', '--yes']);
    expect((await b.run(['sync'])).out).toContain('forgot words');
    expect(b.filesWith('zorblax')).toEqual([]);
  });

  it('is deleted when the folder becomes a vault', async () => {
    const { a } = setUp();
    layOut(a.folder, note);
    await a.run(['find', 'zorblax', '--vault', a.folder]);
    expect(a.leftOvers()).toHaveLength(1);
    await a.run(['init', '.']);
    await a.run(['tree']);
    expect(a.leftOvers()).toEqual([]);
  });

  it('is deleted if an earlier version left it, also after the vault was moved', async () => {
    const { a } = setUp();
    layOut(a.folder, note);
    await a.run(['find', 'zorblax', '--vault', a.folder]);
    const [name = ''] = a.leftOvers();
    cpSync(join(a.states, name), join(a.states, 'kept'), { recursive: true });
    await a.run(['init', '.']);
    const moved = `${a.folder}-moved`;
    renameSync(a.folder, moved);
    await a.run(['write', 'other.md', '--empty'], moved);
    renameSync(join(a.states, 'kept'), join(a.states, name));
    await a.run(['forget', 'Zorblax', '--yes'], moved);
    expect(a.leftOvers()).toEqual([]);
    expect(a.filesWith('zorblax')).toEqual([]);
  });

  it('is kept and named by doctor if it has what cannot be rebuilt', async () => {
    const { a } = setUp();
    layOut(a.folder, note);
    await a.run(['find', 'zorblax', '--vault', a.folder]);
    const durable = join(a.states, a.leftOvers()[0] ?? '', 'history.git');
    mkdirSync(durable);
    writeFileSync(join(durable, 'HEAD'), 'ref: refs/heads/main\n');
    await a.run(['init', '.']);
    await a.run(['tree']);
    expect(existsSync(join(durable, 'HEAD'))).toBe(true);
    expect((await a.run(['doctor'])).out).toMatch(/earlier state.*path-\w+ has the history of this folder/);
  });
});
