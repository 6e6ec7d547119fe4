import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { benchmarkProgram } from '../packages/benchmark/src/cli/program.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { startScriptedModel } from './scripted-model/server.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Runs outside the checkout, where only the data of the package is found. */
function evaluate(folder: string, ...args: string[]): Promise<Ran> {
  const temporary = join(folder, 'temporary');
  return runCommand(args, {
    program: benchmarkProgram,
    cwd: folder,
    variables: { HOME: folder, ...(existsSync(temporary) && { TMPDIR: temporary }) },
  });
}

describe('keepsake-benchmark', () => {
  it('runs the bundled filing data without a model, the requested number of times, and saves the run', async () => {
    const folder = temporaryFolder();
    const options = ['--only', 'en-route-state', '--runs', '2', '--save', 'run.json'];
    const { code, out } = await evaluate(folder, 'filing', '--baseline', 'append', ...options);
    expect(code).toBe(0);
    expect(out).toMatch(/^filing with append at /);
    expect(out).toMatch(/\nen-route-state +0\/2 +0\.33 /);
    expect(out).toMatch(/\n {2}in each run +0\.00, 0\.00\n/);
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({
      format: 2,
      model: 'append',
      rows: [{ run: 1 }, { run: 2 }],
    });
    expect((await evaluate(folder, 'compare', 'run.json', 'run.json')).out).toContain('same: 1');
  });

  it('measures another system, and writes a result card without paths', async () => {
    const folder = temporaryFolder();
    const only = ['--only', 'en-months-3-time'];
    const { code, out } = await evaluate(
      folder,
      'answers',
      '--system',
      'grep',
      ...only,
      '--card',
      'card.json',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^answers with grep at /);
    const card = readFileSync(join(folder, 'card.json'), 'utf8');
    expect(card).not.toContain(folder);
    expect(JSON.parse(card)).toMatchObject({
      kind: 'answers',
      system: 'grep',
      options: { command: 'answers', only: 'en-months-3-time', runs: 1 },
      data: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      results: { questions: { count: 10, dimensions: { support: 1 } } },
    });
    expect((await evaluate(folder, 'check', '--system', 'grep')).out).toContain('ok      dump');
    const unknown = await evaluate(folder, 'check', '--system', 'no-such-system');
    expect(unknown.code).not.toBe(0);
    expect(unknown.err).toContain('there is no system "no-such-system"');
  });

  it('shows a model a vault as init creates it, unless the scenario has an adopted one', async () => {
    const folder = temporaryFolder();
    const scenario = (name: string, files: object): string =>
      JSON.stringify({
        id: name,
        language: 'en',
        about: 'It rains.',
        vault: 'v',
        files,
        inputs: [{ text: 'It rains.' }],
        expect: { inbox: 'none' },
      });
    layOut(folder, {
      inputs: null,
      'vaults/v/projects/x/state.md': '# One\n',
      'scenarios/usual.yaml': scenario('usual', {}),
      'scenarios/other.yaml': scenario('other', {
        '.keepsake/vault.json': '{"id":"another-vault","version":1,"upkeep":{"frontmatter":"own"}}',
      }),
      'questions.jsonl': `${JSON.stringify({ id: 'q', language: 'en', kind: 'absent', vault: 'v', question: 'Does it rain?', evidence: [], unanswerable: true })}\n`,
    });
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    model.respond(() => ({ text: 'Summary: nothing worth keeping: small talk.' }));
    const variables = {
      HOME: folder,
      KEEPSAKE_MODEL: 'openai-compatible/test',
      KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    };
    const describesOwnStructure = async (...args: string[]): Promise<boolean> => {
      const first = model.requests.length;
      await runCommand(args, { program: benchmarkProgram, cwd: folder, variables });
      return JSON.stringify(model.requests[first]).includes("the person's own folder structure");
    };
    expect(await describesOwnStructure('filing', '--data', '.', '--only', 'usual')).toBe(false);
    expect(await describesOwnStructure('filing', '--data', '.', '--only', 'other')).toBe(true);
    expect(await describesOwnStructure('answers', '--data', '.')).toBe(false);
  });

  it('exits with 0 only if all reference solutions pass', async () => {
    const folder = temporaryFolder();
    const solution = (place: string): string =>
      JSON.stringify({
        inputs: [
          {
            steps: [{ calls: [['append', { path: place, content: 'It rains.', position: 'bottom' }]] }],
            summary: 'Filed.',
          },
        ],
      });
    layOut(folder, {
      inputs: null,
      'vaults/v/tasks.md': '# One\n',
      'vaults/v/profile.md': '# Me\n',
      'scenarios/a.yaml': [
        'id: a',
        'language: en',
        'about: It rains.',
        'vault: v',
        'inputs: [{ text: It rains. }]',
        'expect: { facts: [{ text: it rains, in: [tasks.md] }] }',
      ].join('\n'),
      'solutions/a.yaml': solution('vault/tasks.md'),
    });
    const right = await evaluate(folder, 'filing', '--data', '.', '--solutions');
    expect(right.out).toMatch(/\na +1\/1 /);
    expect(right.code).toBe(0);
    writeFileSync(join(folder, 'solutions/a.yaml'), solution('vault/profile.md'));
    const wrong = await evaluate(folder, 'filing', '--data', '.', '--solutions');
    expect(wrong.out).toMatch(/\na +0\/1 /);
    expect(wrong.out).toContain('a: "it rains" should be in vault/tasks.md, but is in vault/profile.md');
    expect(wrong.code).not.toBe(0);
  });

  it('reports an error when there is nothing to measure', async () => {
    const folder = temporaryFolder();
    const { code, err } = await evaluate(
      folder,
      'filing',
      '--baseline',
      'nothing',
      '--only',
      'no-such-thing',
      '--save',
      'a',
    );
    expect(code).not.toBe(0);
    expect(err).toContain('nothing to measure');
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  it('checks before it starts whether the run can be saved', async () => {
    const { code, out, err } = await evaluate(
      temporaryFolder(),
      'filing',
      '--baseline',
      'nothing',
      '--save',
      'no/a',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: cannot save the run to no\/a: .*ENOENT.*\n/);
  });

  it.each([
    ['an incomplete scenario', '', ['--baseline', 'nothing'], /a\.yaml: .*\n.*language/],
    ['a scenario without solution', 'language: en\n', ['--solutions'], /no solution for a in \S+\/solutions/],
  ])('explains the problem with %s, and leaves nothing behind', async (_, language, options, message) => {
    const folder = temporaryFolder();
    layOut(folder, {
      temporary: null,
      'vaults/v/tasks.md': '# One\n',
      'scenarios/a.yaml': `id: a\n${language}about: It rains.\nvault: v\ninputs: [{ text: It rains. }]\nexpect: {}\n`,
    });
    const { code, err } = await evaluate(folder, 'filing', '--data', '.', ...options);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
    expect(readdirSync(join(folder, 'temporary'))).toEqual([]);
  });

  it('names the file of a run that cannot be compared', async () => {
    const { code, err } = await evaluate(temporaryFolder(), 'compare', 'one.json', 'two.json');
    expect(code).toBe(2);
    expect(err).toMatch(/^error: cannot read one\.json: /);
    expect(err).not.toContain('    at ');
  });

  it('explains why a run of an earlier version cannot be compared', async () => {
    const folder = temporaryFolder();
    const old = { kind: 'filing', model: 'm', at: 'then', rows: [{ id: 'a', score: 1, tokens: 1 }] };
    writeFileSync(join(folder, 'old.json'), JSON.stringify(old));
    expect((await evaluate(folder, 'compare', 'old.json', 'old.json')).err).toContain(
      'old.json was saved by another version of Keepsake with different scoring; run the evaluation again',
    );
  });
});

describe('keepsake-benchmark generate', () => {
  const small = ['--language', 'de', '--singles', '2', '--updates', '20', '--transcripts', '500'];

  it('writes a data set and prints its hash, which is the same for the same seed', async () => {
    const folder = temporaryFolder();
    const generate = (name: string) => evaluate(folder, 'generate', '--seed', '9', ...small, name);
    const made = [await generate('one'), await generate('two')];
    expect(made[0]).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^seed {4}9\nfiles {3}\d+\nsha256 {2}[0-9a-f]{64}\n$/),
    });
    expect(made[1]?.out).toBe(made[0]?.out);
    expect(readdirSync(join(folder, 'one')).toSorted()).toEqual([
      'answers',
      'inputs',
      'scenarios',
      'sequences',
      'solutions',
      'vaults',
    ]);
  });

  it('rejects a folder that is not empty, and a sequence that is too short', async () => {
    const folder = temporaryFolder();
    layOut(folder, { 'one/note.md': 'mine' });
    expect(await evaluate(folder, 'generate', '--seed', '9', ...small, 'one')).toMatchObject({
      code: 2,
      err: expect.stringContaining('one is not empty; choose a new folder'),
    });
    expect(await evaluate(folder, 'generate', '--seed', '9', '--updates', '5', 'two')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a sequence must have 20 to 200 updates'),
    });
    expect(readdirSync(folder)).toEqual(['one']);
  });
});
