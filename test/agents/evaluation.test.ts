import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  compareRuns,
  evaluateAnswers,
  evaluateFiling,
  formatRun,
} from '../../packages/benchmark/src/eval/index.ts';
import type { EvaluationRow } from '../../packages/benchmark/src/eval/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { looking } from './agent-vault.ts';

async function setUp(prices = '') {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const config = temporaryFolder();
  layOut(config, { 'keepsake/config.yaml': prices });
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: config,
    KEEPSAKE_MODEL: 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
  });
  return { model, environment, onProgress: () => undefined };
}

const usage = { input: 1_000, output: 100 };
const state = '---\nupdated: 2025-07-14T10:00:00\n---\n## Deadline\nMarch\n\n## Team\nThree people\n';
const scenario = [
  'id: en-deadline',
  'language: en',
  'about: A deadline moves.',
  'vault: small',
  "inputs: [{ text: 'The deadline is May now.' }]",
  'expect:',
  "  facts: [{ text: 'May', in: [projects/x/state.md] }]",
  "  gone: [{ text: 'March', in: projects/x/state.md }]",
  "  kept: [{ text: 'Three people', in: projects/x/state.md }]",
  "  untouched: ['projects/y/**']",
  '  inbox: none',
  '  changelogEntries: 1',
].join('\n');

function filingData(): string {
  const data = temporaryFolder();
  layOut(data, {
    'scenarios/en-deadline.yaml': scenario,
    'vaults/small/projects/x/state.md': state,
    'vaults/small/projects/y/state.md': 'y\n',
    'vaults/small/overview.md': '# Overview\n',
    'vaults/small/changelog.md': '# 2025-07-01\n\n## Began\n',
    inputs: null,
  });
  return data;
}

function scriptFiling(model: ScriptedModel, replacement: string, alsoTouch: boolean): void {
  const path = 'vault/projects/x/state.md';
  const append = (to: string, content: string) => ({
    tool: 'append',
    input: { path: to, content, position: 'top' },
  });
  model.script(
    { calls: [{ tool: 'read', input: { paths: path } }], usage },
    {
      calls: [
        { tool: 'edit', input: { path, old: 'March', new: replacement } },
        append('vault/changelog.md', '# 2025-07-14\n\n## Deadline'),
        ...(alsoTouch ? [append('vault/projects/y/state.md', 'more')] : []),
      ],
      usage,
    },
    { text: 'Done.', usage },
  );
}

it('the filing evaluation scores as a person would, reports tokens and cost, and compares two runs', async () => {
  const { model, environment, onProgress } = await setUp('prices:\n  input: 10\n  output: 50');
  const options = { data: filingData(), who: 'model' as const, environment, hasPrices: true, onProgress };
  scriptFiling(model, 'May', false);
  const good = await evaluateFiling(options);
  expect(good).toMatchObject([
    { id: 'en-deadline', set: 'scenarios', run: 1, strict: true, score: 1, works: 1, problems: [] },
  ]);
  expect(good[0]?.spent).toMatchObject({ steps: 3, fresh: 3_000, cached: 0, written: 0, output: 300 });
  expect(good[0]?.spent.cost).toBeCloseTo(3 * (1_000 * 10e-6 + 100 * 50e-6));
  expect(model.requests[0]?.userTexts.join('\n')).toContain('Today is Monday 2025-07-14T10:00:');

  // The fact is missing (0 of 1 for rightPlace; presentOnce: the new fact is absent, March is gone: 1 of 2), a
  // protected file was changed (0 of 1), and one of the three new lines names a month that was not in the input; a fourth
  // line marks it (3 of 4). For doing nothing, place, changelog and all of presentOnce are missing.
  scriptFiling(model, 'in June', true);
  const bad = await evaluateFiling(options);
  const [nothing, share] = [5 / 8, (0 + 0.5 + 1 + 0 + 1 + 1 + 1 + 3 / 4) / 8];
  expect(bad[0]?.score).toBeCloseTo((share - nothing) / (1 - nothing));
  expect(bad[0]?.failed).toEqual(['rightPlace', 'presentOnce', 'noWrongOverwrite', 'precision']);
  expect(bad[0]?.strict).toBe(false);

  const run = (at: string, rows: EvaluationRow[]) => ({
    format: 2 as const,
    kind: 'filing' as const,
    model: 'm',
    at,
    rows,
  });
  const compared = compareRuns(run('one', good), run('two', bad));
  expect(compared).toMatch(/worse {2}en-deadline +1\.00 → 0\.00/);
  expect(formatRun(run('one', good))).toMatch(/steps per update +3\.00\n.*3,000 fresh/);
});

it('the filing evaluation scores a failed update with zero and says why it failed', async () => {
  const { model, environment, onProgress } = await setUp();
  model.script({ fault: 'status', status: 401, body: '{}' });
  const rows = await evaluateFiling({
    data: filingData(),
    who: 'model',
    environment,
    hasPrices: false,
    onProgress,
  });
  expect(rows).toMatchObject([{ strict: false, score: 0, spent: { cost: null } }]);
  expect(rows[0]?.failed).toContain('settled');
  expect(rows[0]?.problems[0]).toMatch(/^parked: .*check the API key/);
});

it('the answer evaluation scores as a person would', async () => {
  const { model, environment, onProgress } = await setUp();
  const data = temporaryFolder();
  mkdirSync(join(data, 'vault'));
  layOut(data, { 'vault/a.md': '# A\none\ntwo\nthree\n' });
  const questions = join(data, 'questions.jsonl');
  const evidence = ['one', 'three'].map((text) => ({ path: 'vault/a.md', text }));
  writeFileSync(
    questions,
    [
      { id: 'half', language: 'en', question: 'Which?', evidence },
      { id: 'absent', language: 'en', question: 'What else?', evidence: [], unanswerable: true },
      { id: 'stopped', language: 'en', question: 'And?', evidence },
      { id: 'unsought', language: 'en', question: 'And what else?', evidence: [], unanswerable: true },
    ]
      .map((each) => JSON.stringify(each))
      .join('\n'),
  );
  model.script(
    {
      text: 'One.\nTwo.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'vault/a.md', lines: '2-3' }] } }],
      usage,
    },
    { ...looking, usage },
    { text: 'Not there.\nI looked everywhere.', usage },
    { fault: 'status', status: 404 },
    // Once when it is told to search, and once when it is not.
    { text: 'Not there.\nI looked everywhere.', usage },
    { text: 'Not there.\nI looked everywhere.', usage },
  );
  const rows = await evaluateAnswers({
    data,
    vault: join(data, 'vault'),
    environment,
    hasPrices: false,
    onProgress,
  });
  expect(rows).toMatchObject([
    { id: 'half', strict: false, score: 0.5, spent: { fresh: 1_000, output: 100, cost: null } },
    { id: 'absent', strict: true, score: 1, spent: { steps: 2 } },
    { id: 'stopped', strict: false, score: 0, failed: ['settled'], spent: { steps: 0 } },
    { id: 'unsought', strict: false, score: 0 },
  ]);
  expect(rows[0]?.problems).toEqual(['missing in the answer: line "three" of vault/a.md']);
  expect(existsSync(join(data, 'vault', '.keepsake'))).toBe(false);
});
