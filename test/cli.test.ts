import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Runs a command isolated from the user's environment. */
function keepsake(
  cwd: string,
  args: string[],
  { input = '', env = {} }: { input?: string | Buffer; env?: Record<string, string> } = {},
): Promise<Ran> {
  const home = join(cwd, '..', 'home');
  mkdirSync(home, { recursive: true });
  return runCommand(args, { cwd, input, variables: { HOME: home, ...env } });
}

function emptyFolder(name = 'vault'): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  return folder;
}

describe('init', () => {
  it('creates a vault that other commands find from inside it', async () => {
    const folder = emptyFolder();
    const { code, out } = await keepsake(folder, ['init', '.']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Created a vault in .*vault\.\n\nNext:\n {2}keepsake tree/),
    });
    expect(readdirSync(folder).toSorted()).toEqual([
      '.keepsake',
      'bucket',
      'changelog.md',
      'inbox',
      'overview.md',
      'profile.md',
      'projects',
      'tasks.md',
    ]);
    expect(JSON.parse(readFileSync(join(folder, '.keepsake/vault.json'), 'utf8'))).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      language: 'en',
      version: 1,
    });
    expect(
      (
        await keepsake(join(folder, 'projects'), ['tree', '--depth', '1'], {
          env: { HOME: join(folder, '..', 'home') },
        })
      ).out,
    ).toContain('├── tasks.md');
  });

  it('writes in the requested language, or in the system language by default', async () => {
    const [french, english] = [emptyFolder(), emptyFolder()];
    await keepsake(french, ['init'], { env: { LANG: 'fr_FR.UTF-8' } });
    await keepsake(english, ['init', '--language', 'en'], { env: { LANG: 'fr_FR.UTF-8' } });
    expect(readFileSync(join(french, 'profile.md'), 'utf8')).toMatch(
      /^---\ncreated: \S+\nupdated: \S+\ntokens: \d+\n---\n\n<!-- Les faits durables .* -->\n\n# Profil\n$/,
    );
    expect(readFileSync(join(english, 'profile.md'), 'utf8')).toContain('# Profile\n');
  });

  it('adopts a folder of 1,000 notes without touching one: git sees nothing but .keepsake/', async () => {
    const folder = emptyFolder();
    layOut(
      folder,
      Object.fromEntries(
        Array.from({ length: 1_000 }, (_, i) => [
          `notes/${i % 20}/${i}.md`,
          `---\r\nx: ${i}\r\n---\r\nnote ${i}`,
        ]),
      ),
    );
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'notes');
    expect((await keepsake(folder, ['init'])).out).toMatch(
      /^Adopted .*Added \.keepsake\/; no other file was changed/,
    );
    await keepsake(folder, ['tree']);
    expect(git('status', '--porcelain', '-uall')).toBe('?? .keepsake/vault.json\n');
    expect(JSON.parse(readFileSync(join(folder, '.keepsake/vault.json'), 'utf8'))).toMatchObject({
      upkeep: { frontmatter: 'own' },
    });
  });

  it('suggests names that a folder already uses, and adopts them when the user agrees', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'Log.md': 'x\n', '1 Projects/garden/plan.md': 'x\n' });
    const { out } = await keepsake(folder, ['init']);
    expect(out).toContain('  changelog  Log.md\n  projects   1 Projects\n');
    expect(out).toContain("  keepsake init --map changelog=Log.md 'projects=1 Projects'\n");
    expect(
      (await keepsake(folder, ['init', '--map', 'changelog=Log.md', 'projects=1 Projects', '--json'])).out,
    ).toBe(
      `${JSON.stringify({ vault: folder, outcome: 'already', layout: { changelog: 'Log.md', projects: '1 Projects' } })}\n`,
    );
    expect(await keepsake(folder, ['init', '--map', 'changelog=../x.md'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/changelog "\.\.\/x\.md": it must be a name at the top.*--map changelog=/s),
    });
    expect((await keepsake(folder, ['init', '--map', 'areas=x'])).err).toContain(
      'Write overview, changelog, tasks, projects',
    );
  });

  it('changes nothing when run again, and rejects the home folder and the root folder', async () => {
    const folder = emptyFolder();
    await keepsake(folder, ['init']);
    const before = readFileSync(join(folder, '.keepsake/vault.json'), 'utf8');
    expect((await keepsake(folder, ['init'])).out).toContain('is already a vault; nothing changed');
    expect(readFileSync(join(folder, '.keepsake/vault.json'), 'utf8')).toBe(before);
    expect(await keepsake(folder, ['init', '/'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be a vault'),
    });
    expect(await keepsake(folder, ['init', join(folder, '..', 'home')])).toMatchObject({ code: 2 });
  });
});

describe('reading commands', () => {
  it('leave no trace in a folder that was never initialized', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'hello\n' });
    expect((await keepsake(folder, ['read', 'a.md', '--vault', '.'])).out).toBe(
      '```vault/a.md\n1  | hello\n```\n',
    );
    expect(readdirSync(folder)).toEqual(['a.md']);
  });

  it('escape control characters on a terminal, and print them unchanged elsewhere', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'one \u001b[2J two\n' });
    const read = (isTerminal: boolean): Promise<Ran> =>
      runCommand(['read', 'a.md', '--vault', '.'], { cwd: folder, isTerminal });
    expect((await read(true)).out).toContain('1  | one \\u{1b}[2J two\n');
    expect((await read(false)).out).toContain('1  | one \u001b[2J two\n');
  });

  it('accept ranges and options as users write them', async () => {
    const folder = emptyFolder();
    layOut(folder, { '.keepsake/x': '', 'a.md': '# a\nb\nc\n', '10:30.md': 'x\n' });
    expect((await keepsake(folder, ['concat', 'a.md:2-3', '10:30.md'])).out).toBe(
      '```vault/a.md (lines 2-3)\n2  | b\n3  | c\n```\n\n```vault/10:30.md\n1  | x\n```\n',
    );
    expect((await keepsake(folder, ['read', 'a.md', '--head', '1'])).out).toContain('(lines 1-1 of 3)');
    expect(await keepsake(folder, ['read', 'a.md', '--head', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected an integer'),
    });
    expect(JSON.parse((await keepsake(folder, ['tree', 'a.md', '--json'])).out)).toMatchObject({
      entries: [{ path: 'vault/a.md', kind: 'file' }],
    });
  });

  it('say how to create a vault when there is none', async () => {
    const folder = emptyFolder();
    expect(await keepsake(folder, ['tree'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: no vault found; .*keepsake init/),
    });
    expect(await keepsake(folder, ['tree', '--vault', 'nowhere'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('keepsake init'),
    });
  });

  it('say in one line that a new vault has nothing for a brief yet', async () => {
    const vault = join(temporaryFolder(), 'vault');
    await keepsake(temporaryFolder(), ['init', vault]);
    const shown = await keepsake(vault, ['brief']);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^[^\n]*there is nothing about this folder yet\.[^\n]*\n$/);
  });

  it('keep a space between the name and the value of a setting', async () => {
    const config = temporaryFolder();
    const shown = await keepsake(config, ['config', 'capture'], { env: { XDG_CONFIG_HOME: config } });
    expect(shown.out).toContain('unattended  false\n');
  });

  it('find the vault through the environment, then through the configuration', async () => {
    const folder = emptyFolder();
    const elsewhere = emptyFolder('elsewhere');
    layOut(folder, { 'a.md': 'x' });
    expect((await keepsake(elsewhere, ['read', 'a.md'], { env: { KEEPSAKE_VAULT: folder } })).code).toBe(0);
    const config = join(elsewhere, '..', 'config');
    const configure = (...args: string[]): Promise<Ran> =>
      keepsake(elsewhere, ['config', 'vault', ...args], { env: { XDG_CONFIG_HOME: config } });
    expect(await configure(folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`keepsake init ${folder}`),
    });
    await keepsake(folder, ['init']);
    expect(await configure(folder)).toMatchObject({
      code: 0,
      out: expect.stringMatching(`vault +${folder}\n`),
    });
    expect((await keepsake(elsewhere, ['read', 'a.md'], { env: { XDG_CONFIG_HOME: config } })).code).toBe(0);
    writeFileSync(join(config, 'keepsake/config.yaml'), 'vualt: x\n');
    expect(await keepsake(elsewhere, ['read', 'a.md'], { env: { XDG_CONFIG_HOME: config } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('vualt'),
    });
  });

  it('work even if the catalogue is damaged or cannot be stored', async () => {
    const folder = emptyFolder();
    const state = join(folder, '..', 'state');
    layOut(folder, { 'a.md': 'x' });
    const tree = (): Promise<Ran> => keepsake(folder, ['tree', '--vault', '.', '--state', state]);
    expect((await tree()).code).toBe(0);
    writeFileSync(join(state, 'catalogue.sqlite'), 'garbage '.repeat(1000));
    expect(await tree()).toMatchObject({ code: 0, out: expect.stringContaining('a.md') });
    rmSync(state, { recursive: true });
    writeFileSync(state, 'a file where the folder should be');
    expect(await tree()).toMatchObject({ code: 0, out: expect.stringContaining('a.md') });
  });

  it('work even if the catalogue is partly damaged, of another version, or locked by another process', async () => {
    const folder = emptyFolder();
    const state = join(folder, '..', 'state');
    layOut(folder, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f/${i}.md`, `# ${i}\n`])));
    const tree = (): Promise<Ran> => keepsake(folder, ['tree', '--vault', '.', '--state', state]);
    expect((await tree()).code).toBe(0);
    const file = join(state, 'catalogue.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0xab, 4096);
    writeFileSync(file, bytes);
    expect(await tree()).toMatchObject({ code: 0, out: expect.stringContaining('299.md') });
    expect(await tree()).toMatchObject({ code: 0, out: expect.stringContaining('299.md') });
    const database = new Database(file);
    database.pragma('user_version = 99');
    database.close();
    expect((await tree()).code).toBe(0);
    const locked = new Database(file);
    locked.exec('begin exclusive');
    writeFileSync(join(folder, 'new.md'), 'x');
    expect(await tree()).toMatchObject({ code: 0, out: expect.stringContaining('new.md') });
    locked.close();
  });

  it('report a wrong configuration, target or state folder without a stack trace', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'x' });
    const config = join(folder, '..', 'config');
    layOut(config, { 'keepsake/config.yaml': 'vault: [' });
    const broken = await keepsake(join(folder, '..'), ['tree'], { env: { XDG_CONFIG_HOME: config } });
    expect(broken).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: .*config\.yaml is not valid YAML; fix or delete it\n$/),
    });
    expect((await keepsake(join(folder, '..'), ['doctor'], { env: { XDG_CONFIG_HOME: config } })).code).toBe(
      1,
    );
    expect(await keepsake(folder, ['init', 'a.md'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: cannot create the folder/),
    });
    expect(await keepsake(folder, ['tree', '--vault', '.', '--state', 'st'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is inside the vault'),
    });
    expect(existsSync(join(folder, 'st'))).toBe(false);
  });
});

describe('call', () => {
  it('runs a batch line by line, and continues after a failed line', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'x\n' });
    const input =
      '{"tool": "read", "input": {"paths": "a.md"}}\n\nnot json\n{"tool": "fly"}\n{"tool": "read", "input": {}}\n{"tool": "tree", "input": {"path": "nope"}}\n';
    const { code, out } = await keepsake(folder, ['call', '--batch', '-', '--vault', '.'], { input });
    expect(code).toBe(1);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { tool: 'read', ok: true, text: '```vault/a.md\n1  | x\n```' },
      { tool: null, ok: false, text: expect.stringContaining('not valid JSON') },
      {
        tool: 'fly',
        ok: false,
        text: expect.stringContaining('available: tree, read, search, concat, today, write'),
      },
      { tool: 'read', ok: false, text: expect.stringContaining('read.paths') },
      { tool: 'tree', ok: false, text: expect.stringContaining('file not found') },
    ]);
  });

  it.each([
    [['call']],
    [['call', 'fly', '{}']],
    [['call', 'read', '{']],
    [['call', 'read']],
    [['fly']],
    [['read']],
    [['read', 'x', '--fly']],
  ])('rejects %j with exit code 2 and a message on standard error', async (args) => {
    const folder = emptyFolder();
    const { code, out, err } = await keepsake(folder, args, { env: { KEEPSAKE_VAULT: folder } });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: /);
  });
});

it.each([
  ['doctor'],
  ['config'],
  ['tree'],
  ['read', 'a.md'],
  ['history'],
  ['connect'],
  ['connect', 'claude-code'],
  ['disconnect', 'cursor'],
  ['uninstall'],
  ['config', 'model'],
  ['updates'],
  ['index', 'status'],
  ['index', 'status', '--rebuild'],
])('the output of %s is wrapped between words in a terminal, and whole in a pipe', async (...args) => {
  const folder = emptyFolder();
  await keepsake(folder, ['init', '--language', 'en']);
  const text = 'A line of a note that is much longer than a terminal of forty columns is wide.';
  await keepsake(folder, ['write', 'a.md'], { input: `# A\n\n${text}\n` });
  const options = { cwd: folder, variables: { HOME: join(folder, '..', 'home') } };
  const piped = await runCommand(args, options);
  const { out, err } = await runCommand(args, { ...options, isTerminal: true, columns: 40 });
  const rows = stripVTControlCharacters(out).split('\n');
  const printed = [...rows, ...stripVTControlCharacters(err).split('\n')];
  // A command to copy stays whole.
  const wrapped = printed.filter((row) => !row.startsWith('  claude mcp add '));
  expect(wrapped.filter((row) => row.length > 40 && /\S\s+\S/.test(row.trim()))).toEqual([]);
  const words = (all: string): string[] => all.split(/\s+/).filter((word) => word !== '');
  if (args[0] !== 'history') expect(words(rows.join(' '))).toEqual(words(piped.out));
});

describe('changing commands', () => {
  const setUp = async (): Promise<{
    run: (args: string[], input?: string) => Promise<Ran>;
    folder: string;
  }> => {
    const folder = emptyFolder();
    await keepsake(folder, ['init', '--language', 'en']);
    return { folder, run: (args, input = '') => keepsake(folder, args, { input }) };
  };

  it('write, edit, append to, move and delete notes, and history lists every change', async () => {
    const { run, folder } = await setUp();
    expect((await run(['write', 'bucket/note.md'], '# Note\ntext\n')).out).toMatch(
      /^created vault\/bucket\/note\.md \(2 lines\)/,
    );
    expect((await run(['edit', 'bucket/note.md', '--old', 'text', '--new', 'words'])).out).toContain(
      '8  | words',
    );
    expect((await run(['append', 'bucket/note.md', '--top'], 'on top')).out).toContain('| on top');
    expect((await run(['mv', 'bucket/note.md', 'projects/x/'])).out).toBe(
      'moved vault/bucket/note.md to vault/projects/x/note.md\n',
    );
    expect((await run(['rm', 'projects/x'])).out).toBe('deleted vault/projects/x (1 file)\n');
    expect(existsSync(join(folder, 'projects/x'))).toBe(false);
    const { changes } = JSON.parse((await run(['history', '--json'])).out) as {
      changes: { id: string; summary: string }[];
    };
    expect(changes.map(({ summary }) => summary.split(' ')[0])).toEqual([
      'deleted',
      'moved',
      'appended',
      'edited',
      'created',
    ]);
    expect((await run(['history', 'bucket/note.md'])).out.trim().split('\n')).toHaveLength(4);
    const two = (await run(['history', 'bucket/note.md', '--limit', '2'])).out.trim().split('\n');
    expect(two).toHaveLength(3);
    expect(two[2]).toBe('2 of 4 changes; more: keepsake history bucket/note.md --limit 10, all: --all');
    expect((await run(['history', '--limit', '2', '--all'])).out.trim().split('\n')).toHaveLength(5);
    expect(JSON.parse((await run(['history', '--limit', '2', '--json'])).out)).toMatchObject({ total: 5 });
    const id = changes[0]?.id.slice(0, 8) ?? '';
    expect((await run(['show', id])).out).toMatch(
      /--- vault\/projects\/x\/note\.md\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@[\s\S]*^-words$/m,
    );
    expect(await run(['undo', id])).toMatchObject({
      code: 0,
      out: expect.stringMatching(`^undid ${id}; undo with: keepsake undo \\w{8}\n$`),
    });
    expect(readFileSync(join(folder, 'projects/x/note.md'), 'utf8')).toContain('words');
    expect(await run(['undo', 'ffffffff'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('change not found'),
    });
  });

  it('have aliases, and undo names the newest change and never goes further back on its own', async () => {
    const { run, folder } = await setUp();
    await run(['write', 'bucket/a.md'], 'a\n');
    await run(['move', 'bucket/a.md', 'bucket/b.md']);
    await run(['delete', 'bucket/b.md']);
    expect((await run(['search', 'nothing of that kind'])).err).toContain('no results');
    expect((await run(['ls', 'bucket'])).out).not.toContain('b.md');
    expect((await run(['undo'])).out).toMatch(/^undid \w{8} \(deleted vault\/bucket\/b\.md\); undo with: /);
    const again = await run(['undo']);
    expect(again).toMatchObject({ code: 2, out: '' });
    const [, redo = '', before = ''] =
      /^error: the newest change is (\w{8}) \(undo, .*to redo what it undid: keepsake undo \1; the change before it, (\w{8}) \(keepsake move, moved .*: keepsake undo \2\n$/.exec(
        again.err,
      ) ?? [];
    expect(await run(['undo', redo])).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'bucket/b.md'))).toBe(false);
    await run(['undo', redo]);
    expect(before).not.toBe('');
    expect((await run(['read', 'bucket/a.md'])).out).toBe(
      'error: vault/bucket/a.md: file not found; list files with: keepsake tree\n',
    );
  });

  it('refuse to undo the newest change if someone else made it', async () => {
    const { run, folder } = await setUp();
    await run(['write', 'bucket/a.md'], 'a\n');
    writeFileSync(join(folder, 'bucket/mine.md'), 'mine\n');
    await run(['history']);
    rmSync(join(folder, 'bucket/mine.md'));
    const { code, out, err } = await run(['undo']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const [, id = ''] =
      /^error: the newest change is (\w{8}) \(outside, deleted .*mine\.md\); to undo it: keepsake undo \1\n$/.exec(
        err,
      ) ?? [];
    expect(await run(['undo', id])).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'bucket/mine.md'))).toBe(true);
    expect(existsSync(join(folder, 'bucket/a.md'))).toBe(true);
  });

  it('ask on a terminal before an undo without an id', async () => {
    const { run, folder } = await setUp();
    await run(['write', 'bucket/a.md'], 'a\n');
    const terminal = { cwd: folder, isTerminal: true, variables: { HOME: join(folder, '..', 'home') } };
    const no = await runCommand(['undo'], { ...terminal, input: 'n\n' });
    expect(no).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^Undo \w{8} \(created vault\/bucket\/a\.md \(1 line\)\)\? /),
    });
    expect(existsSync(join(folder, 'bucket/a.md'))).toBe(true);
    expect(await runCommand(['undo'], { ...terminal, input: '\n' })).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'bucket/a.md'))).toBe(false);
  });

  it('refuse to undo a file that the change did not touch', async () => {
    const { run } = await setUp();
    await run(['write', 'bucket/a.md'], 'a\n');
    expect(await run(['undo', '--file', 'nope.md'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('vault/nope.md is not a file of change '),
    });
  });

  it("edit a note in the user's editor, and merge concurrent changes", async () => {
    const { run, folder } = await setUp();
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
    await run(['write', 'bucket/a.md'], `${lines.join('\n')}\n`);
    const note = join(folder, 'bucket/a.md');
    const edit = (editor: string, path = 'bucket/a.md') =>
      keepsake(folder, ['edit', path], { env: { EDITOR: editor } });
    expect((await edit(`sed -i 's/line 8/at its end/' '${note}'; sed -i 's/line 0/on top/'`)).out).toBe(
      'edited vault/bucket/a.md\n',
    );
    expect(readFileSync(note, 'utf8')).toMatch(/on top\nline 1\n[\s\S]*line 7\nat its end\n/);
    expect((await edit('true')).out).toBe('nothing was changed\n');
    expect((await edit('echo new >', 'bucket/new.md')).out).toBe('created vault/bucket/new.md\n');
    const conflict = await edit(`sed -i 's/on top/theirs/' '${note}'; sed -i 's/on top/mine/'`);
    expect(conflict).toMatchObject({ code: 1, err: expect.stringMatching(/^your text is in \S+\n$/) });
    const [, kept = ''] = /in (\S+)\n/.exec(conflict.err) ?? [];
    expect(readFileSync(kept, 'utf8')).toContain('mine');
    expect(await edit('false')).toMatchObject({
      code: 2,
      err: expect.stringContaining('false failed'),
    });
    expect(await run(['edit', 'bucket/a.md'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no terminal to edit in'),
    });
  });

  it('require --force to overwrite a file or to delete many files', async () => {
    const { run, folder } = await setUp();
    expect(await run(['write', 'profile.md'], 'x')).toMatchObject({
      code: 1,
      out: 'error: vault/profile.md: the file exists; replace it with --force, or use keepsake append or keepsake edit\n',
    });
    const { files } = JSON.parse((await run(['read', 'profile.md', '--json'])).out) as {
      files: { revision: string }[];
    };
    expect(await run(['write', 'profile.md', '--if-revision', '0123456789abcdef'], 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('revision mismatch'),
    });
    expect(
      (await run(['write', 'profile.md', '--if-revision', files[0]?.revision ?? ''], '# Me\n')).code,
    ).toBe(0);
    expect((await run(['write', 'profile.md', '--force'], '# Me again\n')).code).toBe(0);
    layOut(
      folder,
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`bucket/old/${i}.md`, `${i}\n`])),
    );
    expect(await run(['rm', 'bucket/old'])).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'this deletes 12 files; nothing was written; to do it anyway, repeat with --force',
      ),
    });
    expect((await run(['rm', 'bucket/old', '--force'])).code).toBe(0);
  });

  it('let the user approve a held change by a model', async () => {
    const { run, folder } = await setUp();
    layOut(
      folder,
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`bucket/old/${i}.md`, `${i}\n`])),
    );
    const held = (await run(['call', 'delete', '{"path": "bucket/old"}'])).out;
    const id = /keepsake approve (\S+)/.exec(held)?.[1] ?? '';
    expect((await run(['history', '--held'])).out).toContain(
      `${id.slice(0, 8)}  [held] deleted vault/bucket/old`,
    );
    expect(await run(['approve', id])).toMatchObject({
      code: 0,
      out: expect.stringMatching(`^approved ${id}; undo with: keepsake undo \\w{8}\n$`),
    });
    expect(existsSync(join(folder, 'bucket/old'))).toBe(false);
    expect(await run(['reject', id])).toMatchObject({ code: 1 });
  });

  it('back up everything that cannot be rebuilt', async () => {
    const { run, folder } = await setUp();
    await run(['write', 'bucket/note.md'], 'x\n');
    const target = join(folder, '..', 'backup');
    expect((await run(['backup', target])).out).toBe(
      `Backed up to ${target}. Restore with: keepsake restore-backup ${target}\n`,
    );
    expect(readdirSync(join(target, 'state')).toSorted()).toEqual(['history.git', 'keepsake.sqlite']);
    expect(
      (
        await keepsake(join(target, 'vault'), ['history', '--state', join(target, 'state')], {
          env: { HOME: join(folder, '..', 'home') },
        })
      ).out,
    ).toContain('created vault/bucket/note.md');
    expect(await run(['backup', target])).toMatchObject({
      code: 2,
      err: expect.stringContaining('already exists'),
    });
    const again = join(folder, '..', 'again');
    const restored = await run([
      'restore-backup',
      target,
      '--to',
      again,
      '--state',
      join(folder, '..', 'other'),
    ]);
    expect(restored).toMatchObject({
      code: 0,
      out: expect.stringContaining('Notes: 5. Changes in history: 1. Waiting updates: 0.\n'),
    });
    expect(readFileSync(join(again, 'bucket/note.md'), 'utf8')).toContain('x');
    expect(await run(['restore-backup', target, '--to', again])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not empty; nothing was restored'),
    });
  });

  it('report that a change was already undone, and resolve conflicts with later edits', async () => {
    const { run, folder } = await setUp();
    await run(['write', 'bucket/note.md'], 'one\n');
    await run(['edit', 'bucket/note.md', '--old', 'one', '--new', 'two']);
    const [edit = '', made = ''] = (
      JSON.parse((await run(['history', '--json'])).out) as { changes: { id: string }[] }
    ).changes.map(({ id }) => id);
    expect(await run(['undo', made])).toMatchObject({
      code: 1,
      out: expect.stringContaining(`keepsake undo ${made} --conflict keep`),
    });
    expect((await run(['undo', edit.toUpperCase()])).code).toBe(0);
    expect(await run(['undo', edit])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/already undone by \w{8}; to redo it: keepsake undo \w{8}\n$/),
    });
    expect((await run(['history'])).out).toContain(`${edit.slice(0, 8)}  [undone] `);
    expect(await run(['undo', made, '--conflict', 'all'])).toMatchObject({ code: 2 });
    expect((await run(['undo', made, '--conflict', 'replace'])).code).toBe(0);
    expect(existsSync(join(folder, 'bucket/note.md'))).toBe(false);
  });
});

describe('doctor', () => {
  const statuses = (out: string): Record<string, string> =>
    Object.fromEntries(
      (JSON.parse(out) as { checks: { name: string; status: string; hint: string }[] }).checks.map(
        ({ name, status, hint }) => {
          expect(status === 'ok').toBe(hint === '');
          return [name, status];
        },
      ),
    );

  it('reports no problems in a new vault', async () => {
    const folder = emptyFolder();
    await keepsake(folder, ['init']);
    const { code, out } = await keepsake(folder, ['doctor', '--json']);
    expect(code).toBe(0);
    expect(new Set(Object.values(statuses(out)))).toEqual(new Set(['ok']));
    expect((await keepsake(folder, ['doctor'])).out).toMatch(
      /^no problems; \d+ checks passed \(list them with: keepsake doctor --verbose\)\n$/,
    );
    expect((await keepsake(folder, ['doctor', '--verbose'])).out).toMatch(/^ok {7}Node\.js: version 24/);
  });

  it('reports what is wrong and how to fix it', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'x' });
    symlinkSync('/etc', join(folder, 'link'));
    const warned = await keepsake(folder, ['doctor', '--vault', '.'], { env: { PATH: '/nonexistent' } });
    expect(warned.code).toBe(0);
    expect(warned.out).toMatch(/^warning [^]*\n\n\d+ warnings; \d+ checks passed [^\n]*\n$/);
    expect(warned.out).not.toMatch(/^ok /m);
    expect(warned.out).toMatch(/warning {2}git: not found.*\n {9}→ install git/);
    expect(warned.out).toMatch(/warning {2}initialized: not initialized.*\n {9}→ run: keepsake init/);
    expect(warned.out).toMatch(
      /warning {2}files: 1 skipped\n {9}vault\/link: symbolic links are not followed\n {9}→ /,
    );
    const inside = await keepsake(folder, [
      'doctor',
      '--vault',
      '.',
      '--state',
      join(folder, 'state'),
      '--json',
    ]);
    expect({ code: inside.code, state: statuses(inside.out)['state folder'] }).toEqual({
      code: 1,
      state: 'failed',
    });
    expect(existsSync(join(folder, 'state'))).toBe(false);
    layOut(folder, { '.keepsake/vault.json': '{' });
    expect(statuses((await keepsake(folder, ['doctor', '--json'])).out)['initialized']).toBe('failed');
    expect(statuses((await keepsake(folder, ['doctor', '--vault', 'nope', '--json'])).out)['vault']).toBe(
      'failed',
    );
  });
});

it('doctor names a vault inside another one, in both of them', async () => {
  const folder = emptyFolder();
  await keepsake(folder, ['init']);
  const inner = join(folder, 'sub/inner');
  mkdirSync(inner, { recursive: true });
  await keepsake(inner, ['init', '.']);
  layOut(inner, { 'in.md': 'x\n' });
  const nested = async (cwd: string): Promise<string | undefined> => {
    const { checks } = JSON.parse((await keepsake(cwd, ['doctor', '--json'])).out) as {
      checks: { name: string; message: string }[];
    };
    return checks.find(({ name }) => name === 'nested vaults')?.message;
  };
  expect(await nested(folder)).toBe('vault/sub/inner is a vault of its own');
  expect(await nested(inner)).toBe(`this vault is inside the vault ${folder}`);
});

describe('capture drain', () => {
  it('releases the drain lock when the vault cannot be opened', async () => {
    const folder = emptyFolder();
    const spool = join(folder, 'state/keepsake/spool');
    layOut(spool, { segments: null });
    const { code } = await keepsake(folder, ['capture', 'drain', '--vault', 'nowhere'], {
      env: { XDG_STATE_HOME: join(folder, 'state') },
    });
    expect({ code, left: readdirSync(spool) }).toEqual({ code: 2, left: ['segments'] });
  });
});

describe('sync', () => {
  it('syncs a vault between two folders, and reports what it did', async () => {
    const folder = emptyFolder();
    const remote = join(folder, '..', 'remote.git');
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    layOut(folder, { 'note.md': '# Note\n' });
    const first = await keepsake(folder, ['sync', '../remote.git', '--vault', '.', '--watch'], {
      env: { XDG_STATE_HOME: join(folder, '../one') },
    });
    expect(first.out).toMatch(
      /^synced with \S+remote\.git as \S+: received 0 files, sent 1 file\nkeepsake serve now syncs automatically/,
    );
    const other = join(folder, '..', 'other');
    mkdirSync(other);
    const env = { XDG_STATE_HOME: join(folder, '../two') };
    const second = await keepsake(other, ['sync', remote], { env });
    expect(second.out).toMatch(
      /received 1 file, sent 0 files\nundo with: keepsake undo \S{8}\nto use this vault from every folder: .*other.*\n$/,
    );
    expect(readFileSync(join(other, 'note.md'), 'utf8')).toBe('# Note\n');
    expect((await keepsake(other, ['sync', '--off'], { env })).out).toBe(
      `stopped syncing with ${realpathSync(remote)}\n`,
    );
    const { code, err } = await keepsake(other, ['sync'], { env });
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error: sync is not configured for this vault; choose a repository with: keepsake sync <remote>\n',
    });
  });
});

describe('bytes that are not UTF-8', () => {
  const latin = Buffer.from('caf\u00e9\n', 'latin1');

  it('are decoded with a warning, or rejected when they are not text', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'one\n' });
    const written = await keepsake(folder, ['write', 'b.md', '--vault', '.'], { input: latin });
    expect(written).toMatchObject({ code: 0, err: expect.stringContaining('was read as Windows-1252') });
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toMatch(/\n\ncaf\u00e9\n$/);
    const appended = await keepsake(folder, ['append', 'a.md', '--vault', '.'], {
      input: Buffer.from([0xff, 0, 1]),
    });
    expect(appended).toMatchObject({
      code: 2,
      err: expect.stringContaining('standard input is binary data'),
    });
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('one\n');
  });

  it('saved by an editor are decoded with a warning', async () => {
    const folder = emptyFolder();
    layOut(folder, { 'a.md': 'one\n' });
    const editor = `printf 'caf\\351\\n' >`;
    const { code, err } = await keepsake(folder, ['edit', 'a.md', '--vault', '.'], {
      env: { EDITOR: editor },
    });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('was read as Windows-1252') });
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toMatch(/caf\u00e9\n$/);
  });
});
