import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

let home: string;
let vault: string;
let moved: string;

/** A home with a vault that fake Claude Code and Codex, Cursor and OpenCode use. */
beforeEach(async () => {
  home = realpathSync(temporaryFolder());
  vault = join(home, 'notes');
  moved = join(home, 'Documents/my notes');
  mkdirSync(join(home, 'Documents'));
  layOut(home, {
    // Renews its copy of the plugin only after a removal, as Codex does.
    'bin/codex': `#!/bin/sh
copies="$HOME/.codex/plugins/cache/keepsake/keepsake"
case "$*" in
  "plugin remove"*) rm -rf "$copies" ;;
  "plugin add"*) [ -e "$copies" ] || { mkdir -p "$copies"; cp -r "$HOME/.local/share/keepsake/plugin/keepsake" "$copies/0.2.0"; } ;;
esac
`,
    'bin/claude': `#!/bin/sh\necho "$PWD: $*" >> '${home}/calls'\n`,
    'bin/keepsake': '#!/bin/sh\n',
    'code/.mcp.json': '{}',
    '.cursor/mcp.json': '{\n  "mcpServers": {\n    "fs": { "command": "fs" } // mine\n  }\n}\n',
    '.config/opencode/opencode.json': '{}',
  });
  for (const name of ['claude', 'codex', 'keepsake']) chmodSync(join(home, 'bin', name), 0o755);
  await ok('init', vault);
  await ok('config', 'vault', vault);
  for (const client of ['claude-code', 'codex', 'cursor', 'opencode']) await ok('connect', client, '--write');
  await runCommand(['link', 'house', '--create', '--folder', join(home, 'code')], { variables: variables() });
});

const variables = (): NodeJS.ProcessEnv => ({
  HOME: home,
  PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter),
});

function keepsake(...args: string[]): Promise<Ran> {
  return runCommand(args, { cwd: home, variables: variables() });
}

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await keepsake(...args);
  expect([args, code, code === 0 ? '' : err]).toEqual([args, 0, '']);
  return out;
}

/** The files below the home folder that contain a text, without the vault, backups and logs. */
function filesWith(text: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.sqlite|backup-|former-vault-paths|^calls$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(moved) && !file.startsWith(vault))
    .filter((file) => readFileSync(file, 'utf8').includes(text))
    .map((file) => file.slice(home.length + 1));
}

describe('keepsake reconnect', () => {
  it('repairs everything that names the earlier folder in one command, and says what', async () => {
    writeFileSync(
      join(home, 'code/.mcp.json'),
      JSON.stringify({ mcpServers: { work: { command: 'keepsake', args: ['mcp', '--vault', vault] } } }),
    );
    const naming = filesWith(vault);
    expect(naming).toEqual(
      expect.arrayContaining([
        '.config/keepsake/config.yaml',
        '.config/keepsake/sessions.json',
        '.cursor/mcp.json',
        '.codex/plugins/cache/keepsake/keepsake/0.2.0/.mcp.json',
        '.local/share/keepsake/plugin/keepsake/.mcp.json',
        '.config/opencode/opencode.json',
        'code/.mcp.json',
      ]),
    );
    renameSync(vault, moved);
    const out = await ok('reconnect', moved);
    expect(out).toContain(`${moved} is connected again; repaired:\n  default vault`);
    for (const part of [
      'Claude Code: plugin and hooks',
      'Codex: plugin and hooks',
      'Cursor: keepsake in',
      'links',
    ])
      expect(out).toContain(part);
    expect(filesWith(`${vault}"`)).toEqual([]);
    expect(filesWith(moved).toSorted()).toEqual(naming.toSorted());
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toContain(
      '"fs": { "command": "fs" }, // mine\n',
    );
    expect(await ok('tree')).toContain('projects/');
    expect(await ok('reconnect')).toBe(`everything names ${moved} already\n`);
  });

  it('finds a vault that was renamed, without a folder', async () => {
    const renamed = join(home, 'renamed');
    renameSync(vault, renamed);
    expect(await ok('reconnect')).toContain(`${renamed} is connected again`);
    renameSync(renamed, vault);
    expect((await keepsake('tree')).err).toContain(`it is in ${vault} now`);
    await ok('reconnect', vault);
    expect(await ok('tree')).toContain('projects/');
  });

  it('keeps the options of the connection, and other vaults', async () => {
    const other = join(home, 'other');
    await ok('init', other);
    await ok('connect', 'cursor', '--write', '--vault', other);
    await ok('connect', 'codex', '--write', '--read-only', '--vault', vault);
    renameSync(vault, moved);
    await ok('reconnect', moved);
    const { mcpServers } = JSON.parse(
      readFileSync(join(home, '.codex/plugins/cache/keepsake/keepsake/0.2.0/.mcp.json'), 'utf8'),
    ) as { mcpServers: { keepsake: { args: string[] } } };
    expect(mcpServers.keepsake.args).toEqual(['mcp', '--vault', moved, '--read-only']);
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toContain(other);
  });

  it('lets the command of Claude Code change its own file, with all keys of the entry', async () => {
    const definition = {
      type: 'stdio',
      command: 'keepsake',
      args: ['mcp', '--vault', vault],
      env: { A: 'b' },
    };
    layOut(home, {
      '.claude.json': JSON.stringify({
        mcpServers: { keepsake: definition },
        projects: { [join(home, 'code')]: { mcpServers: { notes: definition } } },
      }),
    });
    renameSync(vault, moved);
    await ok('reconnect', moved);
    const json = JSON.stringify({ ...definition, args: ['mcp', '--vault', moved] });
    expect(readFileSync(join(home, 'calls'), 'utf8')).toContain(
      [
        `${home}: mcp remove keepsake --scope user`,
        `${home}: mcp add-json --scope user keepsake ${json}`,
        `${home}/code: mcp remove notes --scope local`,
        `${home}/code: mcp add-json --scope local notes ${json}`,
      ].join('\n'),
    );
  });

  it('goes on when a client fails, and says so', async () => {
    writeFileSync(join(home, 'bin/codex'), '#!/bin/sh\necho broken >&2\nexit 1\n');
    renameSync(vault, moved);
    const { code, out, err } = await keepsake('reconnect', moved);
    expect([code, err]).toEqual([1, expect.stringContaining('codex plugin marketplace add')]);
    expect(out).toContain('Cursor: keepsake in');
    expect(filesWith(`${vault}"`)).toEqual(['.codex/plugins/cache/keepsake/keepsake/0.2.0/.mcp.json']);
  });

  it('refuses another vault, a copy, and a folder that is no vault', async () => {
    const before = readFileSync(join(home, '.config/keepsake/sessions.json'), 'utf8');
    const [other, copy] = [join(home, 'other'), join(home, 'copy')];
    layOut(other, { '.keepsake/vault.json': '{ "id": "another-vault", "version": 1 }' });
    cpSync(vault, copy, { recursive: true });
    expect((await keepsake('reconnect', copy)).err).toContain(`${copy} is a copy of the vault in ${vault}`);
    renameSync(vault, moved);
    expect((await keepsake('reconnect', other)).err).toContain(`than the one that was in ${vault} (`);
    expect((await keepsake('reconnect', home)).err).toContain('is not a vault; nothing was changed');
    expect((await keepsake('reconnect', join(home, 'none'))).err).toContain('no such folder');
    expect(existsSync(join(home, 'none'))).toBe(false);
    expect(readFileSync(join(home, '.config/keepsake/sessions.json'), 'utf8')).toBe(before);
  });

  it('names what only the user can change', async () => {
    const unit = '.config/systemd/user/keepsake.service';
    layOut(home, { [unit]: 'ExecStart=/usr/bin/env keepsake serve --vault %h/notes\n' });
    renameSync(vault, moved);
    const { out } = await runCommand(['reconnect', moved], {
      cwd: home,
      variables: { ...variables(), KEEPSAKE_VAULT: vault },
    });
    expect(out).toContain(`KEEPSAKE_VAULT is ${vault}, set it to ${moved}`);
    expect(out).toContain(`${join(home, unit)} names the earlier folder`);
  });

  it('brings recorded sessions that waited for the earlier folder into the vault', async () => {
    const waiting = join(home, '.local/state/keepsake/spool');
    mkdirSync(waiting, { recursive: true });
    const words = 'We decided to use SQLite for the archive, as it needs no server and is one file. '.repeat(
      8,
    );
    const event = (key: string, more: object): void =>
      writeFileSync(
        join(waiting, `${key}.json`),
        JSON.stringify({
          key,
          client: 'claude-code',
          session: 's1',
          vault,
          project: null,
          remote: null,
          branch: null,
          folder: home,
          ...more,
        }),
      );
    event('a'.repeat(32), { event: 'prompt', at: 1, text: words });
    event('b'.repeat(32), { event: 'turn', at: 2, text: words });
    event('c'.repeat(32), { event: 'session-end', at: 3, text: '' });
    renameSync(vault, moved);
    const { segments, sessions } = JSON.parse(await ok('capture', 'status', '--json', '--vault', moved)) as {
      segments: number;
      sessions: number;
    };
    expect(segments + sessions).toBe(1);
  });
});
