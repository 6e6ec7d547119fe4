import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../../test/temporary-vault.ts';
import { readEnvironment } from '../../../../vault/src/app/index.ts';
import { checkSystem } from '../check-system.ts';
import { evaluateSystemFiling } from '../evaluate-system.ts';
import { evaluateSystemAnswers } from '../evaluate-system-answers.ts';
import { createResultCard } from '../result-card.ts';
import { createFolderSystem } from './folder-systems.ts';
import type { FolderSystemName } from './folder-systems.ts';
import type { SystemFactory } from './memory-system.ts';
import { createSystemFactory } from './start-system.ts';

const environment = readEnvironment({ PATH: process.env['PATH'], HOME: tmpdir() });
const onProgress = (): void => undefined;
const data = 'packages/benchmark/data/filing';

function start(system: string, timeoutMs = 60_000): SystemFactory {
  return createSystemFactory({
    system,
    environment,
    version: '0',
    cwd: process.cwd(),
    pass: [],
    timeoutMs,
  });
}

function program(lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'system.mjs');
  writeFileSync(file, lines.join('\n'));
  return `node "${file}"`;
}

const example = 'node packages/benchmark/examples/toy-memory.mjs';

describe('a system that speaks the line protocol', () => {
  it('is asked for everything that it offers', async () => {
    const steps = await checkSystem(start(example), environment);
    expect(steps.filter(({ isWell }) => !isWell)).toEqual([]);
    expect(steps.map(({ operation }) => operation)).toEqual([
      'reset',
      'file',
      'ask',
      'search',
      'forget',
      'dump',
      'start',
    ]);
    // The input of which all words were forgotten is gone.
    expect(steps.find(({ operation }) => operation === 'dump')?.detail).toBe('1 text');
  });

  it('fails in a scenario in which it ends, answers nonsense or is too slow, without a second try', async () => {
    const hello = `{ name: 'x', version: '1', offers: ['reset', 'file'] }`;
    const answering = (rest: string): string =>
      program([
        "import { createInterface } from 'node:readline';",
        "createInterface({ input: process.stdin }).on('line', (line) => {",
        '  const { id, op } = JSON.parse(line);',
        '  const send = (value) => console.log(JSON.stringify({ id, ...value }));',
        `  if (op === 'hello') send(${hello});`,
        "  else if (op === 'reset') send({});",
        `  else { ${rest} }`,
        '});',
      ]);
    const problemOf = async (system: string, timeoutMs?: number): Promise<string | undefined> => {
      const options = { data, only: 'de-zwei-mehr', environment, onProgress };
      const [row] = await evaluateSystemFiling({ ...options, start: start(system, timeoutMs) });
      expect(row).toMatchObject({ strict: false, score: 0, failed: ['settled'] });
      return row?.problems[0];
    };
    expect(await problemOf(answering('process.exit(3);'))).toContain('ended with code 3');
    expect(await problemOf(answering("send({ outcome: 'perfect' });"))).toContain('the response is invalid');
    expect(await problemOf(answering("send({ error: 'no space' });"))).toContain('file: no space');
    expect(await problemOf(answering(''), 2_000)).toContain('no response within 2 s; the program must flush');
    expect(await problemOf(answering("console.log('done');"), 2_000)).toContain(
      'ignored 1 printed lines, because none is one JSON object with "id":3; the first: done',
    );
  });

  it('is scored by its answers alone if its content cannot be read', async () => {
    const [row] = await evaluateSystemFiling({
      data,
      only: 'en-berth-twelve',
      environment,
      onProgress,
      start: start(
        program([
          "import { createInterface } from 'node:readline';",
          "createInterface({ input: process.stdin }).on('line', (line) => {",
          '  const { id } = JSON.parse(line);',
          "  console.log(JSON.stringify({ id, name: 'x', version: '1', offers: ['reset', 'file'], outcome: 'filed' }));",
          '});',
        ]),
      ),
    });
    expect(row?.failed).not.toContain('gutted');
    expect(row?.problems.filter((problem) => problem.includes('has lost'))).toEqual([]);
  });

  it('is told that a path of its own is no evidence', async () => {
    const system = createFolderSystem('grep');
    const steps = await checkSystem(
      () =>
        Promise.resolve({
          ...system,
          search: async (queries) =>
            (await system.search(queries)).map((each) => ({ ...each, path: 'entry 1' })),
        }),
      environment,
    );
    expect(steps.find(({ operation }) => operation === 'search')).toMatchObject({
      isWell: false,
      detail: expect.stringContaining('leave the path out') as string,
    });
  });

  it('runs in an empty folder, without the variables of the user', async () => {
    const system = program([
      "import { readdirSync } from 'node:fs';",
      "import { createInterface } from 'node:readline';",
      "createInterface({ input: process.stdin }).on('line', (line) => {",
      '  const name = JSON.stringify([readdirSync("."), process.env.HOME === process.cwd(), process.env.USER ?? null]);',
      "  console.log(JSON.stringify({ id: JSON.parse(line).id, name, version: '', offers: [] }));",
      '});',
    ]);
    const [{ detail } = { detail: '' }] = await checkSystem(start(system), environment);
    expect(detail).toContain('[[],true,null]');
  });
});

it('an MCP server takes part through a mapping file', async () => {
  const folder = temporaryFolder();
  layOut(folder, {
    'server.mjs': [
      "import { createInterface } from 'node:readline';",
      'const all = [];',
      'const tools = {',
      '  add: ({ name, lines }) => { all.push({ name, lines }); return "added"; },',
      '  find: ({ word }) => JSON.stringify({ hits: all.filter(({ lines }) => lines.join(" ").includes(word)) }),',
      '  drop: ({ line }) => { for (const each of all) each.lines = each.lines.filter((other) => other !== line); return ""; },',
      '  all: () => JSON.stringify({ hits: all }),',
      '};',
      "createInterface({ input: process.stdin }).on('line', (line) => {",
      '  const { id, method, params } = JSON.parse(line);',
      '  if (id === undefined) return;',
      "  const result = method === 'initialize' ? { serverInfo: { name: 's', version: '7' } }",
      "    : { content: [{ type: 'text', text: tools[params.name](params.arguments) }] };",
      "  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));",
      '});',
    ].join('\n'),
    'mapping.yaml': [
      'name: s',
      `command: [node, '${join(folder, 'server.mjs')}']`,
      "file: { tool: add, arguments: { name: '{{path}}', lines: '{{lines}}' } }",
      "search: { tool: find, each: word, arguments: { word: '{{query}}' }, entries: { list: hits, text: lines } }",
      "forget: { tool: drop, each: text, arguments: { line: '{{text}}' } }",
      'dump: { tool: all, entries: { list: hits, text: lines } }',
    ].join('\n'),
  });
  const steps = await checkSystem(start(join(folder, 'mapping.yaml')), environment);
  expect(steps.map(({ operation, isWell }) => `${operation} ${isWell}`)).toEqual([
    'reset true',
    'file true',
    'search true',
    'forget true',
    'dump true',
    'start true',
  ]);
  expect(steps.at(-1)?.detail).toBe('s 7, without a model');
});

describe('a system with a folder', () => {
  const inFolder =
    (name: FolderSystemName): SystemFactory =>
    () =>
      Promise.resolve(createFolderSystem(name));
  const file = (name: FolderSystemName) =>
    evaluateSystemFiling({
      start: inFolder(name),
      data,
      set: 'scenarios',
      // For all scenarios: node scripts/benchmark.ts
      only: 'en-c',
      environment,
      onProgress,
    });

  it.each(['nothing', 'append-log', 'grep'] as const)('rarely files correctly: %s', async (name) => {
    const rows = await file(name);
    const strict = rows.filter((row) => row.strict).length / rows.length;
    expect(strict).toBeLessThanOrEqual(0.1);
    if (name === 'nothing') expect(rows.every(({ score }) => score === 0)).toBe(true);
  });

  it('gives the same card when it runs again, apart from the time', async () => {
    const card = async (): Promise<Record<string, unknown>> => {
      const rows = await file('grep');
      const run = { format: 2, kind: 'filing', model: 'grep', at: '2026-03-02T10:00:00', rows } as const;
      const facts = { seconds: 0, cpuSeconds: 0, data: { files: 1, sha256: 'a' }, options: {} };
      const { measured: _, ...same } = createResultCard(run, { ...facts, benchmark: '0', system: 'grep' });
      return same;
    };
    const first = await card();
    expect(first).toMatchObject({ results: { scenarios: { count: expect.any(Number) } } });
    expect(await card()).toEqual(first);
  });

  it.each([
    ['grep', 1, 1],
    ['fts5', 1, 1],
    ['full-context', 1, 0.5],
    ['append-log', 0, 0],
  ] as const)('shows its share of the evidence: %s', async (name, evidence, score) => {
    const folder = temporaryFolder();
    const text = 'The mooring costs 340 € a year.';
    const asked = { id: 'a', language: 'en', question: 'What does the mooring cost?', says: ['340'] };
    layOut(folder, {
      'questions.jsonl': JSON.stringify({ ...asked, evidence: [{ path: 'vault/boat.md', text }] }),
      'vault/boat.md': `# Boat\n\n${text}\n`,
      'vault/long.md': Array.from({ length: 900 }, (_, index) => `Entry ${index}\n`).join('\n'),
    });
    const [row] = await evaluateSystemAnswers({
      start: inFolder(name),
      data: folder,
      vault: join(folder, 'vault'),
      environment,
      onProgress,
    });
    expect(row?.dimensions?.['evidence']).toBe(evidence);
    // A vault in the prompt costs most of the points.
    if (score === 0.5) expect(row?.score).toBeLessThan(score);
    else expect(row?.score).toBe(score);
  });
});
