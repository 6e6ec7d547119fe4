import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { probeCommand } from '../packages/vault/src/connect/index.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

type Check = { name: string; status: string; message: string; hint: string };

let home: string;
let vault: string;

beforeEach(async () => {
  home = realpathSync(temporaryFolder());
  vault = join(home, 'vault');
  layOut(home, {
    'bin/claude': '#!/bin/sh\n',
    'bin/keepsake': `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), 'packages/vault/src/cli/main.ts')}' "$@"\n`,
    '.cursor/mcp.json': '{}',
  });
  for (const name of ['claude', 'keepsake']) chmodSync(join(home, 'bin', name), 0o755);
  await keepsake('init', vault);
  await keepsake('config', 'vault', vault);
  await keepsake('connect', 'claude-code', '--write');
  await keepsake('connect', 'cursor', '--write');
});

function keepsake(...args: string[]): Promise<Ran> {
  const PATH = [join(home, 'bin'), process.env['PATH']].join(delimiter);
  return runCommand(args, { cwd: home, variables: { HOME: home, PATH } });
}

async function doctor(...names: string[]): Promise<Check[]> {
  const { checks } = JSON.parse((await keepsake('doctor', '--json')).out) as { checks: Check[] };
  return checks.filter(({ name }) => names.includes(name));
}

describe('keepsake doctor', () => {
  it('starts every command in the files of AI tools, and records nothing', async () => {
    expect(await doctor('Claude Code', 'Cursor')).toEqual([
      expect.objectContaining({ name: 'Claude Code', status: 'ok', message: 'its hooks and tools start' }),
      expect.objectContaining({ name: 'Cursor', status: 'ok' }),
    ]);
    const state = join(home, '.local/state/keepsake');
    expect(existsSync(join(state, 'hooks')) || existsSync(join(state, 'spool'))).toBe(false);
  });

  it('names hooks that do not start, with the command that repairs them', async () => {
    const hooks = join(home, '.local/share/keepsake/plugin/keepsake/hooks/hooks.json');
    const launcher = join(home, '.local/share/keepsake/keepsake-launcher');
    writeFileSync(hooks, readFileSync(hooks, 'utf8').replaceAll(launcher, '/old/node /old/main.js'));
    const [dead] = await doctor('Claude Code');
    expect(dead).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(
        /^hooks do not start: .*not found[^]*\/old\/node \/old\/main.js hook auto session-start\nin /,
      ),
      hint: 'repair it with: keepsake reconnect',
    });
    expect((await keepsake('reconnect')).out).toContain('Claude Code: plugin and hooks');
    expect(await doctor('Claude Code')).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('names hooks whose launcher finds no Keepsake, although they do not fail in a session', async () => {
    const launcher = join(home, '.local/share/keepsake/keepsake-launcher');
    writeFileSync(launcher, readFileSync(launcher, 'utf8').replaceAll(process.execPath, '/old/node'));
    writeFileSync(launcher, readFileSync(launcher, 'utf8').replaceAll('main.ts', 'moved.ts'));
    rmSync(join(home, 'bin/keepsake'));
    const found = await doctor('Claude Code');
    expect(found.map(({ message }) => message).join('\n')).toContain(
      'hooks do not start: Keepsake does not start',
    );
  });

  it('names a plugin that is missing or lacks files, with the command that repairs it', async () => {
    const folder = join(home, '.local/share/keepsake/plugin');
    const damages = [
      () => rmSync(folder, { recursive: true }),
      () => rmSync(join(folder, 'keepsake/.claude-plugin/plugin.json')),
    ];
    for (const damage of damages) {
      damage();
      expect(await doctor('Claude Code')).toEqual([
        expect.objectContaining({
          status: 'failed',
          message: expect.stringMatching(/^its plugin is not complete.*\.json missing in .*\/plugin$/),
          hint: expect.stringMatching(/^repair it with: keepsake reconnect(; if it was read-only.*)?$/),
        }),
      ]);
      expect((await keepsake('reconnect')).out).toContain('Claude Code: plugin and hooks');
    }
    expect(await doctor('Claude Code')).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('names an entry that does not start, or whose vault is gone, and one of another program', async () => {
    const file = join(home, '.cursor/mcp.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('"keepsake",', '"/old/keepsake",'));
    expect(await doctor('Cursor')).toEqual([
      expect.objectContaining({
        status: 'failed',
        message: `the tools do not start: /old/keepsake was not found\n/old/keepsake mcp --vault ${vault}\nin ${file}`,
        hint: 'repair it with: keepsake connect cursor --write',
      }),
    ]);
    writeFileSync(file, before);
    renameSync(vault, join(home, 'moved'));
    const [gone] = await doctor('Cursor');
    expect(gone?.message).toContain(
      `reconnect commands, AI tools and hooks with: keepsake reconnect ${home}/moved`,
    );
    renameSync(join(home, 'moved'), vault);
    writeFileSync(file, '{"mcpServers":{"keepsake":{"command":"npx","args":["photos"]}}}');
    expect((await doctor('Cursor')).at(-1)).toMatchObject({
      status: 'warning',
      message: `the entry keepsake in ${file} starts another program: npx photos`,
    });
    expect((await keepsake('connect')).out).toContain(
      'its entry keepsake starts another program: npx photos',
    );
    expect((await keepsake('disconnect', 'cursor')).out).toContain('was left alone');
    expect(readFileSync(file, 'utf8')).toContain('photos');
  });
});

describe('a probe', () => {
  it('says why a command does not start, and gives up after a while', async () => {
    const probe = (command: string | string[], timeoutMs = 20_000): Promise<string | null> =>
      probeCommand({ command }, { variables: process.env, cwd: home, timeoutMs });
    expect(await probe('exit 0')).toBeNull();
    expect(await probe('echo "error: broken" >&2; exit 3')).toBe('broken');
    expect(await probe('exit 3')).toBe('exit code 3');
    expect(await probe(['/nowhere/keepsake'])).toBe('/nowhere/keepsake was not found');
    expect(await probe('[ "$KEEPSAKE_PROBE$KEEPSAKE_CAPTURE" = 1off ]')).toBeNull();
    expect(await probe(['sleep', '60'], 200)).toBe('it did not answer within 0.2 s');
  });
});
