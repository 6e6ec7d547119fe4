import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import type { Ran } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { createMachines, identity } from './machines.ts';

/** A `git` that logs its calls and ends otherwise at the call whose number is in a file. */
function createGit(end = 'head -c 20 > /dev/null; kill -9 $$'): {
  path: string;
  calls: () => string[];
  killAt: (call: number | null) => void;
} {
  const folder = temporaryFolder();
  const [bin, log, at] = [join(folder, 'bin'), join(folder, 'log'), join(folder, 'at')];
  mkdirSync(bin);
  const script = `#!/bin/sh
PATH=${JSON.stringify(process.env['PATH'])}
for word in "$@"; do case "$word" in -c|*=*) ;; -*) ;; *) break ;; esac; done
echo "$word" >> '${log}'
if [ -e '${at}' ] && [ "$(wc -l < '${log}')" -eq "$(cat '${at}')" ]; then
  ${end}
fi
exec git "$@"
`;
  writeFileSync(join(bin, 'git'), script);
  chmodSync(join(bin, 'git'), 0o755);
  return {
    path: `${bin}:${process.env['PATH']}`,
    calls: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
    killAt(call) {
      rmSync(log, { force: true });
      if (call === null) rmSync(at, { force: true });
      else writeFileSync(at, String(call));
    },
  };
}

/** A vault on this machine, without a folder of its own history. */
function createVault(git: { path: string }) {
  const place = temporaryFolder();
  const vault = join(place, 'vault');
  mkdirSync(vault);
  const variables = { PATH: git.path, HOME: place, XDG_STATE_HOME: join(place, 'state') };
  return {
    place,
    vault,
    keepsake: (...args: string[]): Promise<Ran> => runCommand(args, { cwd: vault, variables }),
  };
}

it('a sync whose git is killed says so in one line and loses nothing', async () => {
  const { remote, machine } = createMachines();
  const desktop = await machine('desktop', { ...identity, 'shared.md': 'Shared.\n' });
  await desktop.sync();
  const git = createGit();
  const { vault, keepsake } = createVault(git);

  let round = 0;
  const sync = async (): Promise<Ran> => {
    round += 1;
    if (existsSync(join(vault, 'shared.md'))) layOut(vault, { [`${round}.md`]: `Note ${round}.\n` });
    desktop.put({ 'shared.md': `Shared in round ${round}.\n` });
    await desktop.sync();
    return keepsake('sync', remote);
  };
  expect((await keepsake('sync', remote)).code).toBe(0);
  git.killAt(null);
  expect((await sync()).code).toBe(0);
  const commands = git.calls();
  expect(commands).toEqual(expect.arrayContaining(['ls-remote', 'fetch', 'ls-tree', 'fast-import', 'push']));
  for (const [index, command] of commands.entries()) {
    if (commands.indexOf(command) !== index) continue;
    git.killAt(index + 1);
    const { code, err } = await sync();
    expect(`${command}: ${code} ${err}`).toMatch(
      /: [12] error: git was killed; nothing is lost; run the command again\n$/,
    );
  }
  git.killAt(null);
  expect(await sync()).toMatchObject({ code: 0, err: '' });
  await desktop.sync();
  for (let at = 2; at <= round; at += 1) expect(desktop.read(`${at}.md`)).toContain(`Note ${at}.`);
  expect(readFileSync(join(vault, 'shared.md'), 'utf8')).toContain(`Shared in round ${round}.`);
});

it.each([
  [
    'error: index-pack died of signal 9\\nfatal: fetch-pack: invalid index-pack output',
    2,
    'git was killed; nothing is lost; run the command again',
  ],
  [
    'fatal: this object is missing\\nfatal: second line',
    1,
    'git for-each-ref failed: fatal: this object is missing; run: keepsake doctor',
  ],
])('a failure of git is one line: %s', async (said, code, message) => {
  const { remote, machine } = createMachines();
  await (await machine('desktop', { ...identity, 'shared.md': 'Shared.\n' })).sync();
  const git = createGit(`printf '${said}' >&2; exit 128`);
  const { keepsake } = createVault(git);
  expect((await keepsake('sync', remote)).code).toBe(0);
  git.killAt(null);
  await keepsake('sync');
  git.killAt(git.calls().indexOf('for-each-ref') + 1);
  expect(await keepsake('sync')).toMatchObject({ code, err: `error: ${message}\n` });
});

it('a sync goes on after git was killed while it made the repository', async () => {
  const { remote, machine } = createMachines();
  await (await machine('desktop', { ...identity, 'shared.md': 'Shared.\n' })).sync();
  const git = createGit(
    `mkdir -p "$GIT_DIR/refs"; echo 'ref: refs/heads/main' > "$GIT_DIR/HEAD"; kill -9 $$`,
  );
  const { keepsake, vault } = createVault(git);
  git.killAt(1);
  expect((await keepsake('sync', remote)).code).toBe(2);
  expect(git.calls()).toEqual(['init']);
  git.killAt(null);
  expect((await keepsake('sync', remote)).code).toBe(0);
  expect(readFileSync(join(vault, 'shared.md'), 'utf8')).toBe('Shared.\n');
});
