import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createCompletionScript } from '../packages/vault/src/cli/completion.ts';
import { buildProgram } from '../packages/vault/src/cli/program.ts';
import { createCli, runCommand } from './run-command.ts';
import { temporaryFolder } from './temporary-vault.ts';

const whole = await buildProgram(createCli());

/** Excludes options for internal use. */
const shownOptions = (command: Command) => command.options.filter(({ hidden }) => !hidden);

/** What a real bash offers after each of these lines, in which the last word is being typed. */
function offered(lines: string[][], cwd = temporaryFolder()): string[][] {
  const script = join(temporaryFolder(), 'completion.bash');
  writeFileSync(script, createCompletionScript(whole, 'bash'));
  const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const asks = lines.map(
    (words) =>
      `COMP_WORDS=(${['keepsake', ...words].map(quote).join(' ')}); COMP_CWORD=${words.length}; COMPREPLY=(); _keepsake; printf '%s\\n' "\${COMPREPLY[@]}"; echo ----`,
  );
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `source ${quote(script)} || exit 9\ncomplete -p keepsake >&2\n${asks.join('\n')}`],
    { cwd, encoding: 'utf8' },
  );
  expect({ status, stderr: stderr.trim() }).toEqual({ status: 0, stderr: 'complete -F _keepsake keepsake' });
  return stdout
    .split('----\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((word) => word !== ''));
}

type Found = { path: string[]; command: Command };
const withAllBelow = (command: Command, path: string[] = []): Found[] => [
  { path, command },
  ...command.commands.flatMap((below) => withAllBelow(below, [...path, below.name()])),
];

describe('completion in a real bash', () => {
  const all = withAllBelow(whole);

  it('offers every subcommand of every command', () => {
    const parents = all.filter(({ command }) => command.commands.length > 0);
    const answers = offered(parents.map(({ path }) => [...path, '']));
    for (const [i, { command }] of parents.entries())
      expect(answers[i]).toEqual(expect.arrayContaining(command.commands.map((below) => below.name())));
    expect(parents.length).toBeGreaterThan(2);
  });

  it('offers every option of every command', () => {
    const answers = offered(all.map(({ path }) => [...path, '-']));
    for (const [i, { command }] of all.entries()) {
      const flags = shownOptions(command).map(({ long }) => long);
      expect(answers[i]).toEqual(expect.arrayContaining([...flags, '--help']));
    }
  });

  it('offers the choices of every option and parameter that has any', () => {
    const options = all.flatMap(({ path, command }) =>
      shownOptions(command)
        .filter(({ argChoices }) => argChoices !== undefined)
        .map(({ long, argChoices }) => ({ words: [...path, long ?? '', ''], choices: argChoices })),
    );
    const parameters = all.flatMap(({ path, command }) =>
      command.registeredArguments.flatMap(({ argChoices }, i) =>
        argChoices === undefined
          ? []
          : [{ words: [...path, ...Array.from({ length: i }, () => 'x'), ''], choices: argChoices }],
      ),
    );
    const asked = [...options, ...parameters];
    const answers = offered(asked.map(({ words }) => words));
    for (const [i, { choices }] of asked.entries()) expect(answers[i]).toEqual(choices);
    expect(options.length).toBeGreaterThan(2);
    expect(parameters.length).toBeGreaterThan(2);
  });

  it('completes partial words, even after options and their values', () => {
    expect(
      offered([
        ['con'],
        ['connect', '--vault', '/tmp/x', '--read-only', 'cur'],
        ['connect', '--vault', '=', '/tmp/x', 'cla'],
        ['models', 'use', '--for', 'emb'],
        ['models', 'use', '--for', '=', 'emb'],
        ['models', 'use', '--for', '='],
        ['completion', ''],
        ['completion', 'bash', ''],
        ['nonsense', ''],
      ]),
    ).toEqual([
      ['connect', 'config', 'concat'],
      ['cursor'],
      ['claude-code', 'claude-desktop'],
      ['embedder'],
      ['embedder'],
      ['embedder', 'expander', 'reranker'],
      ['bash', 'zsh', 'fish', 'powershell'],
      [],
      [],
    ]);
  });

  it('offers folders for a vault and files for a path, even if their names contain spaces', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'my vault'));
    writeFileSync(join(folder, 'my note.md'), '');
    expect(
      offered(
        [
          ['tree', '--vault', 'my'],
          ['read', 'my'],
          ['read', 'a.md', 'my'],
          ['mv', 'my'],
          ['mv', 'a.md', 'my'],
          ['find', 'x', '--scope', 'my'],
          ['config', 'exclude', 'my'],
        ],
        folder,
      ).map((names) => names.toSorted()),
    ).toEqual([['my vault'], ...Array.from({ length: 6 }, () => ['my note.md', 'my vault'])]);
  });
});

it.each(['bash', 'zsh', 'fish', 'powershell'] as const)(
  'keepsake completion %s prints the commands of every group and the others',
  async (shell) => {
    const { out } = await runCommand(['completion', shell]);
    expect(out).toBe(createCompletionScript(whole, shell));
  },
);

describe.each(['zsh', 'fish'] as const)('the completion script for %s', (shell) => {
  it('is accepted by the shell', ({ skip }) => {
    skip(spawnSync(shell, ['--version']).error !== undefined, `${shell} is not installed here`);
    const script = join(temporaryFolder(), 'completion');
    writeFileSync(script, createCompletionScript(whole, shell));
    const { status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names every command and option', () => {
    const script = createCompletionScript(whole, shell);
    for (const { path, command } of withAllBelow(whole)) {
      expect(script).toContain(`'${path.join(' ')}'`);
      for (const { long = '' } of shownOptions(command))
        expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)} ` : `'${long}:`);
    }
  });

  it('escapes quotes in descriptions', async () => {
    const program = await buildProgram(createCli());
    program.command('odd').summary("a person's \\ own");
    const script = createCompletionScript(program, shell);
    expect(script).toContain(
      shell === 'fish' ? String.raw`-d 'a person\'s \\ own'` : String.raw`'odd:a person'\''s \ own'`,
    );
  });
});

describe('the completion script for PowerShell', () => {
  it('is accepted by the shell', ({ skip }) => {
    const asked = spawnSync('pwsh', ['-Version']);
    skip(asked.error !== undefined, 'PowerShell is not installed here');
    const script = join(temporaryFolder(), 'completion.ps1');
    writeFileSync(script, createCompletionScript(whole, 'powershell'));
    const { status, stderr } = spawnSync('pwsh', ['-NoProfile', '-File', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names every command and option, and doubles quotes', async () => {
    const script = createCompletionScript(whole, 'powershell');
    for (const { path, command } of withAllBelow(whole)) {
      expect(script).toContain(`'${path.join(' ')}' = @{`);
      for (const { long = '' } of shownOptions(command)) expect(script).toContain(`'${long}' = @{ about = `);
    }
    const program = await buildProgram(createCli());
    program.command('odd').summary("a person's own");
    expect(createCompletionScript(program, 'powershell')).toContain("'odd' = 'a person''s own'");
  });
});
