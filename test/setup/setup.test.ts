import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { runCommand, startCommand } from '../run-command.ts';
import type { Ran } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

type Home = {
  home: string;
  variables: NodeJS.ProcessEnv;
  /** Types the lines in a terminal; without lines, there is no terminal. */
  setup: (args: string[], lines?: string[]) => Promise<Ran>;
  run: (args: string[]) => Promise<Ran>;
  /** The calls of the fake `claude`. */
  calls: () => string[];
};

/** A home in which Claude Code, as a fake, and Cursor are installed. */
function createHome(language = 'en', claudeExitCode = 0): Home {
  const home = temporaryFolder();
  const log = join(home, 'calls');
  layOut(home, {
    '.cursor/settings.json': '{}',
    'bin/claude': `#!/bin/sh\necho "$*" >> '${log}'\nexit ${claudeExitCode}\n`,
  });
  chmodSync(join(home, 'bin', 'claude'), 0o755);
  const variables = { HOME: home, PATH: join(home, 'bin'), LANG: `${language}_XX.UTF-8` };
  const run = (args: string[]): Promise<Ran> => runCommand(args, { cwd: home, variables });
  return {
    home,
    variables,
    run,
    setup: (args, lines) =>
      lines === undefined
        ? run(['setup', ...args])
        : runCommand(['setup', ...args], {
            cwd: home,
            variables,
            isTerminal: true,
            columns: 1_000,
            input: lines.map((line) => `${line}\n`).join(''),
          }),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
  };
}

it('leads from nothing to a connected vault with a note, and asks before each change', async () => {
  const { home, setup, run, calls } = createHome();
  const { code, out } = await setup([], ['', 'y', 'n', '', 'The boiler is serviced each October.']);
  expect(code).toBe(0);
  expect(out).toContain('created a vault in ');
  expect(out).toContain(
    'From now on, in folders you link, your prompts and the last answers are stored in the vault, on this machine.',
  );
  expect(out).not.toMatch(/hooks|plugin|\.json/);
  expect(out).toContain('Connect Claude Code? [Y/n] ');
  expect(out).toContain('Claude Code is connected');
  expect(out).not.toContain('Cursor is connected');
  expect(out.slice(out.indexOf('Next:'))).toBe(
    'Next:\n' +
      '  1. in a new session of Claude Code, say: "Remember that …"; then ask another tool\n' +
      '  2. to have the sessions in a repository recorded, in its folder: keepsake link <project>\n' +
      '  3. look at it in the browser: keepsake serve\n',
  );
  expect(calls()).toContain('plugin install keepsake@keepsake');
  expect(existsSync(join(home, '.cursor', 'mcp.json'))).toBe(false);
  const [note = ''] = readdirSync(join(home, 'vault', 'bucket'));
  expect(readFileSync(join(home, 'vault', 'bucket', note), 'utf8')).toContain('each October.');
  expect((await run(['find', 'boiler'])).out).toContain('each October.');
});

it('names files, commands and hooks with --details only', async () => {
  const { setup } = createHome();
  const { out } = await setup(['--details'], ['', 'y', 'n', '', '']);
  expect(out).toContain('runs claude plugin install keepsake@keepsake');
  expect(out).toContain('writes a plugin to ');
});

it('says what Codex needs once', async () => {
  const { home, setup } = createHome();
  layOut(home, { 'bin/codex': '#!/bin/sh\nexit 0\n' });
  chmodSync(join(home, 'bin', 'codex'), 0o755);
  const first = await setup(['--yes', '--clients', 'codex']);
  expect(first.out).toContain('Codex is connected\n  then, once: start codex, type /hooks');
  expect((await setup(['--yes', '--clients', 'codex'])).out).not.toContain('/hooks');
});

it('shows what is done when it runs again, and changes nothing', async () => {
  const { home, setup, calls } = createHome();
  await setup(['--yes']);
  const before = calls().length;
  const again = await setup(['--yes']);
  expect(again.code).toBe(0);
  expect(again.out).toContain(`${join(home, 'vault')} is your vault`);
  expect(again.out).toContain('Claude Code is connected\n  Cursor is connected');
  expect(again.out).not.toContain('writes a plugin');
  expect(calls()).toHaveLength(before);
  expect(readdirSync(join(home, '.cursor')).filter((name) => name.includes('backup'))).toEqual([]);
});

it('wraps its messages and questions between words', async () => {
  const { home, variables } = createHome();
  const input = ['~/notes', '', '', '', 'The boiler is serviced.'].map((line) => `${line}\n`).join('');
  const terminal = { cwd: home, variables, isTerminal: true, columns: 40 };
  const welcome = await runCommand([], terminal);
  expect(welcome.out).toMatch(/^Keepsake is a memory of your own: a\n[^]*\n {2}keepsake setup\n$/);
  const { out } = await runCommand(['setup'], { ...terminal, input });
  // A real terminal shows the line typed after a question, and goes to the next row.
  const rows = stripVTControlCharacters(welcome.out + out)
    .replaceAll(/(?<=\[(?:Y\/n|~\/vault)\]:? |\): )/g, '\n')
    .split('\n');
  expect(rows).toContain('folder of notes is fine [~/vault]: ');
  expect(rows.filter((row) => row.length > 40 && /\S\s+\S/.test(row.trim()))).toEqual([]);
});

it('keeps what is done after Ctrl-C, and says how to continue', async () => {
  const { home, variables, setup } = createHome();
  const input = new Readable({ read: () => undefined });
  const running = startCommand(['setup'], { cwd: home, variables, isTerminal: true, input });
  await running.saying(/Folder for your vault/);
  input.push('~/notes\n');
  await running.saying(/Connect Claude Code\?/);
  running.send('SIGINT');
  const { code, err } = await running.ended;
  expect(code).toBe(2);
  expect(err).toContain('stopped; what is done stays; continue with: keepsake setup');
  const { out } = await setup([], ['n', 'n', '', '']);
  expect(out).toContain(`${join(home, 'notes')} is your vault`);
  expect(out).toContain('1. connect an AI tool: keepsake connect');
});

it('adopts a folder of notes only after a yes, and changes no note', async () => {
  const { home, setup } = createHome();
  layOut(home, { 'obsidian/Home.md': 'mine\n', 'obsidian/.obsidian/app.json': '{}' });
  const declined = await setup([], [join(home, 'obsidian'), 'n']);
  expect(declined).toMatchObject({ code: 2, err: expect.stringContaining('no folder was chosen') });
  expect(declined.out).toContain('contains 1 files. Use it as your vault?');
  expect(existsSync(join(home, 'obsidian', '.keepsake'))).toBe(false);
  const { out } = await setup([], ['~/obsidian', 'y', 'n', 'n', '', '']);
  expect(out).toContain(`adopted ${join(home, 'obsidian')}; only .keepsake/ was added`);
  expect(readFileSync(join(home, 'obsidian', 'Home.md'), 'utf8')).toBe('mine\n');
});

it('runs without a terminal by its options, and does nothing that was not asked for', async () => {
  const { home, setup, calls } = createHome();
  expect(await setup([])).toMatchObject({ code: 2, err: expect.stringContaining('pass --vault <folder>') });
  expect(existsSync(join(home, 'vault'))).toBe(false);
  const only = await setup(['--vault', join(home, 'v')]);
  expect(only.code).toBe(0);
  expect(calls()).toEqual([]);
  const more = await setup(['--clients', 'cursor', '--no-model', '--memory', 'Tea at five']);
  expect(more.code).toBe(0);
  expect(more.out).toContain('Cursor is connected');
  expect(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain(join(home, 'v'));
  expect(readdirSync(join(home, 'v', 'bucket'))).toEqual([expect.stringContaining('tea-at-five')]);
  expect(calls()).toEqual([]);
  expect((await setup(['--clients', 'emacs'])).err).toContain('emacs is unknown');
});

it('connects the other tools if one fails, and reports it', async () => {
  const { home, setup, calls } = createHome('en', 3);
  const { code, out } = await setup(['--yes']);
  expect(code).toBe(1);
  expect(out).toContain('error: Claude Code: ');
  expect(out).toContain('Cursor is connected');
  const claude = join(home, 'bin', 'claude');
  writeFileSync(claude, readFileSync(claude, 'utf8').replace('exit 3', 'exit 0'));
  expect(await setup(['--yes'])).toMatchObject({ code: 0 });
  expect(calls().at(-1)).toBe('plugin install keepsake@keepsake');
});

it('asks again if an answer names no model', async () => {
  const { setup } = createHome();
  const { code, out } = await setup([], ['~/vault', 'n', 'n', 'sonnet', '', '']);
  expect(code).toBe(0);
  expect(out).toContain('sonnet names no provider; write it as ollama/qwen3 or claude-code/sonnet');
});

it('stores no model that fails its test: asks again, or fails without a terminal', async () => {
  const { home, setup, run } = createHome();
  const vault = ['--vault', join(home, 'v'), '--clients', 'none'];
  const alone = await setup([...vault, '--model', 'anthropic/some-model']);
  expect(alone).toMatchObject({ code: 1, err: expect.stringContaining('the model was not saved') });
  const asked = await setup(vault, ['anthropic/some-model', '', '']);
  expect(asked).toMatchObject({ code: 0, err: expect.stringContaining('the model cannot be used') });
  expect(asked.out).toContain('no model; later: keepsake config model');
  const { out } = await run(['config', '--json']);
  expect(JSON.parse(out)).toMatchObject({ model: null, vault: join(home, 'v') });
});

it('speaks French', async () => {
  const { setup } = createHome('fr');
  const { out } = await setup([], ['', 'oui', 'n', '', '']);
  expect(out).toContain('Connecter Claude Code ? [O/n] ');
  expect(out).toContain('Claude Code est connecté');
  expect(out).toContain('Ensuite :');
});
