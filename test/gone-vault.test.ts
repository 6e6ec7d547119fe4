import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { runHook } from '../packages/vault/src/hook/index.ts';
import { createSessionBrief } from '../packages/vault/src/cli/session-brief.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

let home: string;
let vault: string;

beforeEach(async () => {
  home = realpathSync(temporaryFolder());
  vault = join(home, 'place/notes');
  await keepsake('init', vault);
  await keepsake('config', 'vault', vault);
  layOut(vault, { 'bucket/a.md': '# A\n', 'bucket/b.md': '# B\n' });
  await keepsake('tree');
});

function keepsake(...args: string[]): Promise<Ran> {
  return runCommand(args, { cwd: home, variables: { HOME: home }, input: 'text\n' });
}

const gone = (): string => `the vault that was in ${vault} (6 notes, last used today) is gone`;

describe('a known vault that is gone', () => {
  it('is named by every command, and none suggests to create a vault there', async () => {
    rmSync(vault, { recursive: true });
    const commands = [
      ['find', 'x'],
      ['today'],
      ['brief'],
      ['write', 'x.md'],
      ['history'],
      ['sync'],
      ['mcp'],
      ['serve', '--port', '0'],
      ['connect', 'cursor', '--write'],
      ['config', 'vault', vault],
      ['setup', '--no-model', '--clients', 'none', '--no-memory', '--yes'],
      ['init', vault],
    ];
    for (const command of [...commands, ['find', 'x', '--vault', vault]]) {
      const { code, err } = await keepsake(...command);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toContain(gone());
      expect(err).toContain('if you moved it, run: keepsake reconnect <new folder>');
      if (command[0] !== 'init') expect(err).not.toContain('keepsake init');
    }
    const { code, out } = await keepsake('doctor');
    expect([code, out]).toEqual([1, expect.stringContaining(gone())]);
    expect(out).not.toContain('keepsake init');
    expect(existsSync(vault)).toBe(false);
  });

  it('is found where it was moved, and works again when it is moved back', async () => {
    const moved = join(home, 'place/renamed notes');
    renameSync(vault, moved);
    expect((await keepsake('find', 'x')).err).toContain(
      `it is in ${moved} now; reconnect commands, AI tools and hooks with: keepsake reconnect "${moved}"`,
    );
    renameSync(moved, vault);
    expect((await keepsake('read', 'bucket/a.md')).out).toContain('# A');
  });

  it('is known by its earlier paths when it was used at another one since', async () => {
    const moved = join(home, 'place/moved');
    renameSync(vault, moved);
    await keepsake('write', 'bucket/c.md', '--vault', moved);
    expect((await keepsake('tree', '--vault', vault)).err).toContain(`it is in ${moved} now`);
  });

  it('is not created again in the empty mount point of its disk, not even by a process that had it open', async () => {
    const aside = join(home, 'unmounted');
    renameSync(vault, aside);
    mkdirSync(vault);
    for (const command of [['write', 'x.md'], ['tree'], ['serve', '--port', '0'], ['init', vault]])
      expect((await keepsake(...command)).err).toContain(gone());
    expect(readdirSync(vault)).toEqual([]);
    rmSync(vault, { recursive: true });
    renameSync(aside, vault);
    const opened = await openKeepsake({ vault, environment: readEnvironment({ HOME: home }, () => home) });
    onTestFinished(async () => void (await opened.close()));
    const write = (path: string) =>
      opened.callTool({
        tool: 'write',
        input: { path, content: 'x\n' },
        reader: 'person',
        door: 'command-line',
        origin: 'test',
      });
    await write('bucket/c.md');
    renameSync(vault, aside);
    mkdirSync(vault);
    await expect(write('bucket/d.md')).rejects.toMatchObject({ code: 'vault-gone' });
    expect(readdirSync(vault)).toEqual([]);
    rmSync(vault, { recursive: true });
    renameSync(aside, vault);
    await write('bucket/d.md');
    expect(existsSync(join(vault, 'bucket/d.md'))).toBe(true);
    const { changes } = JSON.parse((await keepsake('history', '--json')).out) as {
      changes: { summary: string }[];
    };
    expect(changes.filter(({ summary }) => summary.includes('deleted'))).toEqual([]);
  });

  it('is replaced by a new one only with --force', async () => {
    rmSync(vault, { recursive: true });
    expect((await keepsake('init', vault)).err).toContain(`keepsake init ${vault} --force`);
    expect((await keepsake('init', vault, '--force')).code).toBe(0);
    expect((await keepsake('tree')).code).toBe(0);
  });

  it('leaves its old place to other files once it is known elsewhere', async () => {
    const moved = join(home, 'place/moved');
    renameSync(vault, moved);
    await keepsake('write', 'bucket/c.md', '--vault', moved);
    layOut(vault, { 'x.md': '# Other\n' });
    expect((await keepsake('read', 'x.md', '--vault', vault)).out).toContain('# Other');
  });

  it('is named to the user and to the model at the start of a session', async () => {
    rmSync(vault, { recursive: true });
    const printed: string[] = [];
    const variables = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
    await runHook(['claude-code', 'session-start'], {
      calledAt: Date.now(),
      variables,
      input: async function* () {
        yield JSON.stringify({
          session_id: 's',
          cwd: home,
          hook_event_name: 'SessionStart',
          source: 'startup',
        });
      },
      print: (text) => printed.push(text),
      brief: (request) =>
        createSessionBrief(request, {
          variables,
          cwd: () => home,
          stderr: process.stderr,
          script: resolve('packages/vault/src/cli/main.ts'),
        }),
      drain: () => Promise.resolve(),
    });
    const output = JSON.parse(printed.join('')) as {
      systemMessage: string;
      hookSpecificOutput: { additionalContext: string };
    };
    expect(output.systemMessage).toContain(`Keepsake: ${gone()}`);
    expect(output.hookSpecificOutput.additionalContext).toContain('not available in this session');
  });
});
