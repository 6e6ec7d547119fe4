import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import type { Ran } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

type Place = { home: string; remote: string; run: (...args: string[]) => Promise<Ran> };

/** A second machine, and a repository with the vault of the first one. */
async function createSecondMachine(): Promise<Place> {
  const place = realpathSync(temporaryFolder());
  const [home, remote, first] = [join(place, 'home'), join(place, 'remote.git'), join(place, 'first')];
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  layOut(first, { 'vault/bucket/a.md': '# A\n' });
  const vault = join(first, 'vault');
  const variables = { HOME: first };
  for (const args of [['init'], ['sync', remote]])
    expect(await runCommand([...args, '--vault', vault], { variables })).toMatchObject({ code: 0 });
  mkdirSync(home);
  const run: Place['run'] = (...args) => runCommand(args, { cwd: home, variables: { HOME: home } });
  return { home, remote, run };
}

describe('a sync into a folder of a second machine', () => {
  it('creates a missing folder, and names the command that makes its vault the default one', async () => {
    const { home, remote, run } = await createSecondMachine();
    const folder = join(home, 'notes/vault');
    const { code, out, err } = await run('sync', remote, '--vault', folder);
    expect([code, err]).toEqual([0, '']);
    expect(existsSync(join(folder, 'bucket/a.md'))).toBe(true);
    expect(out).toContain(`to use this vault from every folder: keepsake config vault ${folder}\n`);
    expect((await run('config', 'vault', folder)).code).toBe(0);
    expect((await run('read', 'bucket/a.md')).out).toContain('# A');
    expect((await run('sync', remote, '--vault', folder)).out).not.toContain('config vault');
  });

  it('leaves no folder behind if the repository cannot be reached', async () => {
    const { home, remote, run } = await createSecondMachine();
    const folder = join(home, 'vault');
    const { code, err } = await run('sync', `${remote}-none`, '--vault', folder);
    expect(code).not.toBe(0);
    expect(err).not.toContain('keepsake init');
    expect(existsSync(folder)).toBe(false);
  });

  it('does not create a folder where a vault was that is gone, because its disk may not be mounted', async () => {
    const { home, remote, run } = await createSecondMachine();
    const folder = join(home, 'vault');
    await run('sync', remote, '--vault', folder);
    rmSync(folder, { recursive: true });
    const { code, err } = await run('sync', remote, '--vault', folder);
    expect(code).toBe(2);
    expect(err).toContain(`run mkdir ${folder}, and sync`);
    expect(readdirSync(home)).not.toContain('vault');
    mkdirSync(folder);
    expect((await run('sync', remote, '--vault', folder)).code).toBe(0);
    expect(existsSync(join(folder, 'bucket/a.md'))).toBe(true);
  });
});
