import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

let home: string;
let vault: string;
let folder: string;

beforeEach(async () => {
  home = realpathSync(temporaryFolder());
  vault = join(home, 'notes');
  mkdirSync(vault);
  await keepsake(['init', vault], { cwd: home });
  layOut(vault, {
    'Home.md': '# Root\n',
    'A/B/Home.md': '# Below\n',
    'A/B/vault/Home.md': '# In a folder named vault\n',
    'A/vaults.md': '# Vaults\n',
    'A/Other.md': '# Other\n',
    '.obsidian/Home.md': '# Hidden\n',
  });
  folder = join(vault, 'A/B');
});

function keepsake(
  args: string[],
  { cwd = folder, input = '', variables = {} }: { cwd?: string; input?: string; variables?: object } = {},
): Promise<Ran> {
  return runCommand(args, { cwd, input, variables: { HOME: home, ...variables } });
}

/** The first line that `read` prints, without its number. */
async function titleOf(path: string, cwd = folder, more: string[] = []): Promise<string> {
  const { out, err } = await keepsake(['read', path, ...more], { cwd });
  return /^ *1 *\| (.*)$/m.exec(out)?.[1] ?? out + err;
}

const text = (path: string): string => readFileSync(join(vault, path), 'utf8');

describe('a path on the command line', () => {
  it('starts in the current folder when that is in the vault', async () => {
    expect(await titleOf('Home.md')).toBe('# Below');
    expect(await titleOf('./Home.md')).toBe('# Below');
    expect(await titleOf('../Other.md')).toBe('# Other');
    expect(await titleOf('../../Home.md')).toBe('# Root');
    expect(await titleOf('vaults.md', join(vault, 'A'))).toBe('# Vaults');
    expect((await keepsake(['tree', '.'])).out).toMatch(/^vault\/A\/B\//);
    expect((await keepsake(['concat', 'Home.md:1'])).out).toContain('vault/A/B/Home.md');
  });

  it('starts at the root with vault/ or /', async () => {
    expect(await titleOf('vault/Home.md')).toBe('# Root');
    expect(await titleOf('/Home.md')).toBe('# Root');
    expect(await titleOf('./vault/Home.md')).toBe('# In a folder named vault');
    expect((await keepsake(['tree', '/'])).out).toMatch(/^vault\//);
  });

  it('may be an absolute path into the vault, also through a link', async () => {
    const link = join(home, 'link');
    symlinkSync(vault, link);
    symlinkSync(folder, join(home, 'below'));
    expect(await titleOf(join(folder, 'Home.md'))).toBe('# Below');
    expect(await titleOf(join(link, 'A/B/Home.md'), home, ['--vault', vault])).toBe('# Below');
    expect(await titleOf(join(home, 'below/Home.md'), home, ['--vault', link])).toBe('# Below');
    expect(await titleOf(`${join(folder, 'Home.md')}:1`)).toBe('# Below');
  });

  it('starts at the root outside the vault, and in another vault', async () => {
    expect(await titleOf('Home.md', home, ['--vault', vault])).toBe('# Root');
    expect(await titleOf('./notes/A/Other.md', home, ['--vault', vault])).toBe('# Other');
    const other = join(folder, 'other');
    mkdirSync(other);
    await keepsake(['init', other], { cwd: home });
    expect(await titleOf('Home.md', other, ['--vault', vault])).toBe('# Root');
    const ran = await keepsake(['read', 'Home.md'], { cwd: other, variables: { KEEPSAKE_VAULT: vault } });
    expect(ran.out).toContain('# Root');
  });

  it('starts in a current folder that is reached through a link', async () => {
    symlinkSync(folder, join(home, 'below'));
    const program = resolve('packages/vault/src/cli/main.ts');
    const { stdout } = spawnSync(process.execPath, [program, 'read', 'Home.md'], {
      cwd: join(home, 'below'),
      env: { HOME: home, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    expect(stdout).toContain('# Below');
  });

  it('is refused where it leads out of the vault, also to a folder of the disk', async () => {
    writeFileSync(join(home, 'secret.md'), 'x\n');
    for (const path of ['../../../secret.md', join(home, 'secret.md'), '/tmp/new.md']) {
      const { code, err } = await keepsake(['write', path], { input: 'text\n' });
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`${path} is outside the vault`),
      });
    }
    expect(existsSync(join(vault, 'tmp'))).toBe(false);
    mkdirSync(join(vault, 'tmp'));
    expect((await keepsake(['write', '/tmp/new.md'], { input: 'text\n' })).code).toBe(0);
    expect(text('tmp/new.md')).toContain('text');
  });

  it('says in a hidden folder that it is not part of the vault', async () => {
    expect(await titleOf('Home.md', join(vault, '.obsidian'))).toContain(
      'hidden files and folders are not part',
    );
    expect(await titleOf('vault/Home.md', join(vault, '.obsidian'))).toBe('# Root');
  });

  it('means the file in the current folder for every command that changes files', async () => {
    await keepsake(['append', 'Home.md'], { input: 'appended\n' });
    await keepsake(['edit', 'Home.md', '--old', 'appended', '--new', 'edited']);
    await keepsake(['write', 'new.md'], { input: '# New\n' });
    await keepsake(['mv', 'new.md', '../']);
    await keepsake(['edit', '../Other.md'], { variables: { EDITOR: 'echo typed >>' } });
    expect(text('A/B/Home.md')).toContain('edited');
    expect(text('A/new.md')).toContain('# New');
    expect(text('A/Other.md')).toContain('typed');
    expect((await keepsake(['rm', 'Home.md'])).code).toBe(0);
    expect([existsSync(join(folder, 'Home.md')), existsSync(join(vault, 'Home.md'))]).toEqual([false, true]);
    expect(text('Home.md')).toBe('# Root\n');
  });

  it('means the file in the current folder for history, show, undo, restore and forget', async () => {
    await keepsake(['append', 'Home.md'], { input: 'first\n' });
    await keepsake(['append', 'Home.md'], { input: 'second\n' });
    await keepsake(['append', 'vault/Home.md'], { input: 'third\n' });
    const { changes } = JSON.parse((await keepsake(['history', 'Home.md', '--json'])).out) as {
      changes: { id: string; summary: string }[];
    };
    expect(changes.map(({ summary }) => summary).slice(0, 2)).toEqual([
      expect.stringContaining('vault/A/B/Home.md'),
      expect.stringContaining('vault/A/B/Home.md'),
    ]);
    const [second, first] = changes.map(({ id }) => id);
    expect((await keepsake(['show', second ?? '', '--file', 'Home.md'])).out).toContain('+second');
    expect((await keepsake(['undo', second ?? '', '--file', 'Home.md'])).code).toBe(0);
    expect(text('A/B/Home.md')).not.toContain('second');
    expect((await keepsake(['restore', 'Home.md', first ?? ''])).code).toBe(0);
    expect((await keepsake(['history', '.obsidian/x.md'], { cwd: vault })).code).toBe(2);
    expect((await keepsake(['forget', 'Home.md', '--yes'])).code).toBe(0);
    expect([existsSync(join(folder, 'Home.md')), text('Home.md').includes('third')]).toEqual([false, true]);
  });

  it('is named if it is wrong, by history and brief', async () => {
    expect((await keepsake(['history', 'none.md'])).out).toBe(
      'there is no file vault/A/B/none.md, and no change of it\n',
    );
    await keepsake(['write', 'gone.md'], { input: 'x\n' });
    await keepsake(['delete', 'gone.md']);
    expect((await keepsake(['history', 'gone.md'])).out).not.toContain('there is no file');
    expect(await keepsake(['brief', 'none'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`no such folder: ${join(folder, 'none')}`),
    });
  });

  it('limits a search and hides files from AI by patterns of the current folder', async () => {
    layOut(vault, { 'A/C/one.md': '# Boiler\n', 'A/[x]/two.md': '# Boiler\n', 'C/three.md': '# Boiler\n' });
    const found = async (scope: string, cwd: string): Promise<string[]> =>
      (await keepsake(['find', 'boiler', '--paths', '--scope', scope], { cwd })).out
        .split('\n')
        .filter(Boolean);
    expect(await found('C/', join(vault, 'A'))).toEqual(['vault/A/C/one.md']);
    expect(await found('*/one.md', join(vault, 'A'))).toEqual(['vault/A/C/one.md']);
    expect(await found('*.md', join(vault, 'A/[x]'))).toEqual(['vault/A/[x]/two.md']);
    expect(await found('/C/', join(vault, 'A'))).toEqual(['vault/C/three.md']);
    expect(await found(join(vault, 'C/*.md'), home)).toEqual([]);
    await keepsake(['config', 'exclude', 'C/'], { cwd: join(vault, 'A') });
    const listed = await keepsake(['config', 'exclude', '--json'], { cwd: vault });
    expect(JSON.parse(listed.out)).toMatchObject({ exclude: [{ pattern: 'A/C/', files: 1 }] });
    const shown = await keepsake(['config', 'exclude', '--remove', 'A/C/', '--json'], {
      cwd: join(vault, 'A'),
    });
    expect(JSON.parse(shown.out)).toEqual({ exclude: [] });
  });

  it('leaves the tools for models as they are', async () => {
    const { out } = await keepsake(['call', 'read', '{"paths": "Home.md"}']);
    expect(out).toContain('# Root');
    expect((await keepsake(['call', 'read', `{"paths": "${vault}/Home.md"}`])).out).toContain(
      'absolute paths are not allowed',
    );
  });

  it('verifies a document of the disk, or of the vault', async () => {
    const { out } = await keepsake(['concat', 'Home.md']);
    writeFileSync(join(home, 'answer.md'), out);
    await keepsake(['write', 'vault/answer.md'], { input: out });
    expect((await keepsake(['verify', '../../../answer.md'])).out).toMatch(/^same .*A\/B\/Home\.md/);
    expect((await keepsake(['verify', 'vault/answer.md'])).out).toMatch(/^same .*A\/B\/Home\.md/);
    expect(await keepsake(['verify', 'nope.md'])).toMatchObject({
      code: 2,
      err: 'error: nope.md: file not found\n',
    });
  });
});
