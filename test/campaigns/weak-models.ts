import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake, Update } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { Call, ScriptedModel, Turn } from '../scripted-model/server.ts';
import { Place } from './scenario.ts';

const answersPerUpdate = 5;

/**
 * Files updates, and answers a fifth as many inbox items, with a model that does everything but its job. Search must
 * find every accepted text and every original of an item afterwards; parked updates must state a reason.
 */
export async function weakModelsCampaign(count: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 7);
  const random = randomNumbers(seed);
  const place = new Place();
  const model = await startScriptedModel();
  const used = new Map<string, number>();
  model.respond(({ userTexts }) => {
    const [name, turn] = weakTurns[Math.floor(random() * weakTurns.length)] ?? prose;
    used.set(name, (used.get(name) ?? 0) + 1);
    return turn(userTexts.join('\n'), random);
  });
  const started = performance.now();
  try {
    const answers = Math.ceil(count / answersPerUpdate);
    const problems = await fileAll(place, model, count, answers);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const kinds = [...used].map(([name, times]) => `${name} ${times}`).join(', ');
    console.log(
      `weak: seed ${seed}, ${count} updates and ${answers} answers in ${seconds} s, ${model.requests.length} requests (${kinds})`,
    );
    for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
    const isReal = used.size === weakTurns.length;
    if (!isReal) console.log('FAILED: not every weakness was tried');
    return problems.length + (isReal ? 0 : 1);
  } finally {
    await model.close();
    place.remove();
  }
}

const word = (kind: string, number: number): string => `${kind}zq${number}`;
const reply =
  (...turns: Turn[]) =>
  (_said: string, random: () => number): Turn =>
    turns[Math.floor(random() * turns.length)] ?? { text: '' };
const call = (tool: string, input: unknown): Turn => ({ calls: [{ tool, input }] });

type WeakTurn = [string, (said: string, random: () => number) => Turn];

const prose: WeakTurn = [
  'prose',
  reply({ text: 'I have filed this in your vault.' }, { text: 'Summary: all is saved in the project.' }),
];

/** The folder of the input, read from the prompt. */
function placeOf(said: string): string {
  return /It is stored in (vault\/inbox\/\S+?)\/?\.\s/.exec(said)?.[1] ?? 'vault/inbox/nowhere';
}

function itemIn(said: string): string {
  return /vault\/inbox\/2025-07-01-item-\d+/.exec(said)?.[0] ?? placeOf(said);
}

const anEntry = (random: () => number): Call => ({
  tool: 'append',
  input: {
    path: 'vault/changelog.md',
    content: `# 2025-07-14\n\n## Update ${Math.floor(random() * 1e9)}`,
    position: 'top',
  },
});

/** The behaviours of weak models, by name. The last ones change the vault in wrong ways. */
const weakTurns: WeakTurn[] = [
  prose,
  ['repeat', reply(call('search', { queries: ['everything'], mode: 'fast' }))],
  ['unknown tool', reply(call('save_note', { text: 'it' }), call('finish', {}))],
  ['broken JSON', reply({ calls: [{ tool: 'write', rawInput: '{"path": "vault/a.md", "con' }] })],
  ['refusal', reply({ text: 'I am sorry, but I cannot help with that.' })],
  ['nothing', reply({ text: '' }, { text: ' \n' })],
  ['half a stream', reply({ fault: 'cut', after: 60, turn: { text: 'It is filed in the vault, and' } })],
  ['garbage', reply({ fault: 'garbage' })],
  [
    'known without lines',
    reply({ text: 'The vault says this already: vault/overview.md:999 and vault/no.md:1' }),
  ],
  ['wrong input', reply(call('edit', { path: 'vault/changelog.md', old: '99 | nothing', new: 'x' }))],
  [
    'beside the point',
    (_said, random) =>
      call('append', {
        path: 'vault/tasks.md',
        content: `# Buy milk ${Math.floor(random() * 1e9)}`,
        position: 'bottom',
      }),
  ],
  ['a log entry', (_said, random) => ({ calls: [anEntry(random)] })],
  [
    'known in some line',
    reply({ text: 'Summary: vault/changelog.md:1 says it.' }, { text: 'See vault/tasks.md:1-2.' }),
  ],
  [
    'deletes it',
    (said, random) => ({
      calls: [{ tool: 'delete', input: { path: `${placeOf(said)}/original.md` } }, anEntry(random)],
    }),
  ],
  [
    'deletes the item',
    (said, random) => ({ calls: [{ tool: 'delete', input: { path: `${itemIn(said)}/` } }, anEntry(random)] }),
  ],
  [
    'writes over it',
    (said, random) => {
      const path = `${placeOf(said)}/original.md`;
      return {
        calls: [
          { tool: 'read', input: { paths: path } },
          { tool: 'write', input: { path, content: 'filed' } },
          anEntry(random),
        ],
      };
    },
  ],
  [
    'moves it and writes over it',
    (said, random) => {
      const to = `vault/bucket/moved-${Math.floor(random() * 1e9)}.md`;
      return {
        calls: [
          { tool: 'move', input: { from: `${placeOf(said)}/original.md`, to } },
          ...(random() < 0.5 ? [] : [{ tool: 'read', input: { paths: to } }]),
          ...(random() < 0.5 ? [] : [{ tool: 'write', input: { path: to, content: 'filed' } }]),
          anEntry(random),
        ],
      };
    },
  ],
];

async function fileAll(
  { folder, vault, state }: Place,
  model: ScriptedModel,
  count: number,
  answers: number,
): Promise<string[]> {
  initVault(vault, { language: 'en', home: folder, clock: Date.now });
  for (let number = 0; number < answers; number += 1) {
    const item = join(vault, 'inbox', `2025-07-01-item-${number}`);
    mkdirSync(item, { recursive: true });
    writeFileSync(join(item, 'review.md'), '# Which one?\n\n**Which project is it?**\n');
    writeFileSync(join(item, 'original.md'), `The thing called ${word('item', number)} arrived.\n`);
  }
  let skipped = 0;
  const clock = (): number => Date.now() + skipped;
  // Otherwise the daily limits would stop the campaign.
  mkdirSync(join(folder, 'config/keepsake'), { recursive: true });
  writeFileSync(join(folder, 'config/keepsake/config.yaml'), 'limits:\n  dailyTokens: 1000000000\n');
  const environment = readEnvironment({
    ...processVariables,
    XDG_CONFIG_HOME: join(folder, 'config'),
    KEEPSAKE_MODEL: 'openai-compatible/weak',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
  });
  const keepsake = await openKeepsake({ vault, state, environment, clock });
  try {
    const { updates } = keepsake.agents;
    const source = { kind: 'person', name: 'campaign' } as const;
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const text = `Remember the ${word('note', number)} for the garden, it matters.`;
      ids.push((await updates.accept({ text, files: [], source })).id);
    }
    for (let number = 0; number < answers; number += 1) {
      const text = `It is the ${word('answer', number)} one.`;
      const inboxRef = `2025-07-01-item-${number}`;
      ids.push((await updates.accept({ text, files: [], source, inboxRef })).id);
    }
    const runner = updates.start(() => undefined);
    // The clock skips the delay before the next attempt.
    while (updates.next() !== null) {
      const next = updates.next();
      if (next?.state === 'waiting' && next.claimableAt > clock()) {
        skipped += next.claimableAt - clock();
        runner.wake();
      }
      await new Promise((done) => setTimeout(done, 2));
    }
    await runner.stop();
    await keepsake.search.prepare('fast');
    const over = ids.flatMap((id) => updates.find(id) ?? []);
    return [
      ...(over.length === ids.length ? [] : [`${ids.length - over.length} updates are lost`]),
      ...(await judge(keepsake, vault, over, answers)),
    ];
  } finally {
    await keepsake.close();
  }
}

async function judge(
  keepsake: Keepsake,
  vault: string,
  updates: readonly Update[],
  answers: number,
): Promise<string[]> {
  const problems: string[] = [];
  // Search excludes the inbox, so texts in it are looked up among the open items.
  const items = (await keepsake.inbox()).flatMap((entry) => (entry.kind === 'question' ? [entry.item] : []));
  const waiting = new Set(items.flatMap((item) => wordsBelow(join(vault, 'inbox', item))));
  const exists = async (marked: string): Promise<boolean> =>
    waiting.has(marked) || (await isFound(keepsake, marked));
  const states = new Map<string, number>();
  for (const { id, state, reason: failure, result, input } of updates) {
    const reason = failure?.text ?? null;
    const [marked = ''] = /\b(?:note|answer)zq\d+\b/.exec(input.text) ?? [];
    const kind = state === 'done' ? (result?.kind ?? 'nothing') : state;
    states.set(kind, (states.get(kind) ?? 0) + 1);
    if (state === 'parked') {
      if (reason === null || !/\w+ \w+ \w+/.test(reason) || /undefined|TypeError|\n\s+at /.test(reason))
        problems.push(`${id} is parked without an understandable reason: ${reason}`);
    } else if (state !== 'done') problems.push(`${id} is ${state}`);
    // The text of an answer may disappear once its item is filed.
    else if (marked.startsWith('note') && !(await exists(marked)))
      problems.push(`${marked} is ${kind}, but neither found by search nor in the inbox`);
  }
  for (let number = 0; number < answers; number += 1)
    if (!(await exists(word('item', number)))) problems.push(`${word('item', number)} is lost`);
  console.log(`weak: ${[...states].map(([kind, times]) => `${times} ${kind}`).join(', ')}`);
  return problems;
}

function wordsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(/\b[a-z]+zq\d+\b/g) ?? []);
}

async function isFound(keepsake: Keepsake, marked: string): Promise<boolean> {
  const found = await keepsake.readRun('person').search({ queries: [marked], mode: 'fast' });
  return (
    found.kind === 'found' &&
    found.passages.some(({ shownLines }) => shownLines.some((line) => line.includes(marked)))
  );
}
