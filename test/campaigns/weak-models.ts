import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel, SeenRequest, Turn } from '../scripted-model/server.ts';
import { Place } from './scenario.ts';
import { behaviours } from './weak-behaviours.ts';
import type { Behaviour } from './weak-behaviours.ts';
import { checkUpdate, outcomeOf } from './weak-checks.ts';
import type { FiledUpdate } from './weak-checks.ts';
import { createChatter, createInput, createMarks } from './weak-inputs.ts';
import type { Chance, Language, Marks, WeakInput } from './weak-inputs.ts';
import { readSnapshot, states } from './weak-oracle.ts';
import { erraticTurns, pick, repairs } from './weak-plays.ts';
import type { Play, Scene } from './weak-plays.ts';
import { weakItem, weakVault } from './weak-vault.ts';

/** Updates in one vault. Vaults alternate between languages and protocols. */
const updatesPerVault = 50;
const updatesPerAnswer = 5;

type Totals = {
  seed: number;
  chance: Chance;
  marks: Marks;
  /** The behaviours that are still to be tried before the next round. */
  deck: string[];
  requests: number;
  answers: number;
  outcomes: Map<string, Map<string, number>>;
  honest: { updates: number; asked: number };
  problems: string[];
};

/**
 * Files generated inputs with models that remove, invent, forget and lie, and honestly in between. Compares the files
 * before and after each update with its receipt: no fact may be lost, nothing removed without being named, and no
 * invention hidden.
 */
export async function weakModelsCampaign(count: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 7);
  const random = randomNumbers(seed);
  const totals: Totals = {
    seed,
    chance: (below) => Math.floor(random() * below),
    marks: createMarks(),
    deck: [],
    requests: 0,
    answers: 0,
    outcomes: new Map(),
    honest: { updates: 0, asked: 0 },
    problems: [],
  };
  const started = performance.now();
  const model = await startScriptedModel();
  model.answerRepairs();
  try {
    for (let done = 0, round = 0; done < count; done += updatesPerVault, round += 1)
      await runRound(model, round, Math.min(updatesPerVault, count - done), totals);
  } finally {
    await model.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  return report(totals, count, seconds);
}

function report(totals: Totals, count: number, seconds: string): number {
  const { seed, outcomes, honest, problems } = totals;
  for (const [behaviour, kinds] of [...outcomes].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`weak: ${behaviour}: ${[...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')}`);
  console.log(
    `weak: seed ${seed}, ${count} updates and ${totals.answers} answers in ${seconds} s, ${totals.requests} requests; ${honest.asked} of ${honest.updates} honest updates were asked for a repair; ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, maxPrinted)) console.log(`FAILED: ${problem}`);
  const untried = Object.keys(behaviours).filter((name) => !outcomes.has(name));
  const isReal = count < 2 * Object.keys(behaviours).length || untried.length === 0;
  if (!isReal) console.log(`FAILED: not tried: ${untried.join(', ')}`);
  return problems.length + (isReal ? 0 : 1);
}

const maxPrinted = 20;

async function runRound(model: ScriptedModel, round: number, count: number, totals: Totals): Promise<void> {
  const place = new Place();
  const { folder, vault, state } = place;
  const language: Language = round % 2 === 0 ? 'fr' : 'en';
  const answers = Math.ceil(count / updatesPerAnswer);
  initVault(vault, { language, home: folder, clock: Date.now });
  const items = Array.from({ length: answers }, (_, index) => weakItem(index).files);
  const files = Object.assign({}, weakVault(language), ...items) as Record<string, string>;
  // Otherwise the daily limits would stop the campaign.
  const limits = { '../config/keepsake/config.yaml': 'limits:\n  dailyTokens: 1000000000\n' };
  for (const [path, text] of Object.entries({ ...files, ...limits })) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
  const environment = readEnvironment({
    ...processVariables,
    XDG_CONFIG_HOME: join(folder, 'config'),
    KEEPSAKE_MODEL: round % 4 < 2 ? 'openai-compatible/weak' : 'anthropic/weak',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'none',
  });
  let skipped = 0;
  const clock = (): number => Date.now() + skipped;
  const keepsake = await openKeepsake({ vault, state, environment, clock });
  const session = { keepsake, model, vault, language, clock, skip: (ms: number) => void (skipped += ms) };
  try {
    const filed: FiledUpdate[] = [];
    for (let number = 0; number < count; number += 1) {
      filed.push(await fileOne(session, totals));
      if (number % updatesPerAnswer === 0)
        filed.push(await answerOne(session, totals, number / updatesPerAnswer));
    }
    await checkEnd(session, filed, totals);
  } finally {
    await keepsake.close();
    place.remove();
  }
}

type Session = {
  keepsake: Keepsake;
  model: ScriptedModel;
  vault: string;
  language: Language;
  clock: () => number;
  skip: (ms: number) => void;
};

function drawBehaviour({ deck, chance }: Totals): string {
  if (deck.length === 0) {
    deck.push('honest', 'honest', ...Object.keys(behaviours));
    for (let last = deck.length - 1; last > 0; last -= 1) {
      const other = chance(last + 1);
      [deck[last], deck[other]] = [deck[other] ?? '', deck[last] ?? ''];
    }
  }
  return deck.pop() ?? 'honest';
}

const hour = 3_600_000;

async function fileOne(session: Session, totals: Totals): Promise<FiledUpdate> {
  const { vault, language, clock, skip } = session;
  const { chance, marks } = totals;
  // Removals count for an hour.
  skip(2 * hour);
  const name = drawBehaviour(totals);
  const behaviour: Behaviour = behaviours[name] ?? { source: 'any', play: () => ({ turns: [] }) };
  const files = readSnapshot(vault);
  const day = new Date(clock()).toLocaleDateString('sv');
  const stage = { files, chance, marks, language, day };
  const { requests = [], doneTasks = [], targets = [] } = behaviour.wishes?.(stage) ?? {};
  const isMail = behaviour.source === 'mail' || (behaviour.source === 'any' && chance(3) === 0);
  const { minFacts = 1 } = behaviour;
  const input =
    name === 'erratic' && chance(4) === 0
      ? createChatter(chance, language)
      : createInput({ marks, chance, language, day, isMail, minFacts, requests, doneTasks });
  const scene = { ...stage, input, targets };
  const play = behaviour.play(scene);
  const isHonest = behaviour.isHonest === true;
  const filed = await runUpdate(session, { name, isHonest, input, play, scene });
  if (isHonest) {
    totals.honest.updates += 1;
    totals.honest.asked += filed.asked.length > 0 ? 1 : 0;
  }
  record(totals, session, filed);
  return filed;
}

/** Answers that do not say to drop the item, although some begin like those that do. */
const answers: [(word: string) => string, ...((word: string) => string)[]] = [
  (word) => `It is the ${word} one.`,
  (word) => `No, it is about the ${word}.`,
  (word) => `Rien à voir avec la maison, c'est pour ${word}.`,
  (word) => `Cancel the ${word} contract, that is what it was about.`,
];

/** Answers an inbox item; the words in it must stay unless the answer says to drop it. */
async function answerOne(session: Session, totals: Totals, number: number): Promise<FiledUpdate> {
  const { vault, language, clock } = session;
  const { chance, marks } = totals;
  const item = weakItem(number);
  const files = readSnapshot(vault);
  const isDropped = chance(4) === 0;
  const text = isDropped ? 'Drop it, I do not need it.' : pick(answers, chance, answers[0])(marks.word());
  const input: WeakInput = {
    text,
    facts: isDropped ? [] : item.words.map((word) => ({ word, number: '', sentence: word })),
    isMail: false,
    doneTasks: [],
  };
  const deletes = { tool: 'delete', input: { path: `vault/inbox/${item.name}/original.md` } };
  const play: Play = {
    turns: isDropped ? [{ calls: [deletes], text: 'Summary: dropped.' }] : erraticTurns({ chance }),
  };
  const day = new Date(clock()).toLocaleDateString('sv');
  const scene: Scene = { files, chance, marks, language, day, input, targets: [] };
  const name = isDropped ? 'answer: drop it' : 'answer: erratic';
  const filed = await runUpdate(session, {
    name,
    isHonest: isDropped,
    input,
    play,
    scene,
    inboxRef: item.name,
  });
  totals.answers += 1;
  record(totals, session, filed);
  return filed;
}

type Run = { name: string; isHonest: boolean; input: WeakInput; play: Play; scene: Scene; inboxRef?: string };

/** Submits an input, plays the model, and waits until the update is over. */
async function runUpdate(session: Session, run: Run): Promise<FiledUpdate> {
  const { keepsake, model, vault, clock, skip } = session;
  const { name, isHonest, input, play, scene, inboxRef } = run;
  const before = readSnapshot(vault);
  const asked: string[] = [];
  model.respond(createModel(play, scene, asked));
  const { updates } = keepsake.agents;
  const source = input.isMail ? { kind: 'other', name: 'email' } : { kind: 'person', name: 'campaign' };
  const { id } = await updates.accept({
    text: input.text,
    files: [],
    source: source as { kind: 'person' | 'other'; name: string },
    ...(inboxRef !== undefined && { inboxRef }),
  });
  const runner = updates.start(() => undefined);
  // The clock skips the delay before the next attempt.
  for (let next = updates.next(); next !== null; next = updates.next()) {
    if (next.state === 'waiting' && next.claimableAt > clock()) {
      skip(next.claimableAt - clock());
      runner.wake();
    }
    await new Promise((done) => setTimeout(done, 2));
  }
  await runner.stop();
  const update = updates.find(id);
  if (update === undefined) throw new Error(`the update ${id} is gone`);
  return { behaviour: name, isHonest, input, play, update, before, after: readSnapshot(vault), asked };
}

/** A longer play also decides how to answer requests. */
const maxScripted = 10;

/** Plays the turns in every attempt; then answers requests to repair, and claims success otherwise. */
function createModel(play: Play, scene: Scene, asked: string[]): (request: SeenRequest) => Turn {
  const kinds = Object.keys(repairs) as (keyof typeof repairs)[];
  const repair = play.repair ?? kinds[scene.chance(kinds.length)] ?? 'ignore';
  let [turn, messages] = [0, 0];
  return ({ body, userTexts }) => {
    const said = userTexts.join('\n');
    const isNew = !(body['messages'] as { role: string }[]).some(({ role }) => role === 'assistant');
    if (isNew) [turn, messages] = [0, userTexts.length];
    const last = userTexts.at(-1) ?? '';
    const isAsked = userTexts.length > messages;
    messages = userTexts.length;
    if (isAsked) asked.push(last);
    const next = play.turns[turn];
    if (isAsked && play.turns.length < maxScripted) return repairs[repair](scene, last);
    if (next === undefined) return repairs.ignore(scene);
    turn += 1;
    return typeof next === 'function' ? next(said) : next;
  };
}

function record(totals: Totals, { model }: Session, filed: FiledUpdate): void {
  const { behaviour, input, update } = filed;
  const outcome = outcomeOf(update);
  const kinds = totals.outcomes.get(behaviour) ?? new Map<string, number>();
  totals.outcomes.set(behaviour, kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1));
  totals.requests += model.requests.length;
  model.requests.length = 0;
  const problems = checkUpdate(filed);
  if (problems.length > 0)
    totals.problems.push(
      `${behaviour} (${outcome})\n  ${problems.join('\n  ')}\n  update: ${update.id}\n  input${input.isMail ? ' of others' : ''}: ${JSON.stringify(input.text)}\n  result: ${JSON.stringify(update.result)}`,
    );
}

/** Checks at the end that later updates have removed nothing, and that search finds the facts. */
async function checkEnd(session: Session, filed: readonly FiledUpdate[], totals: Totals): Promise<void> {
  const { keepsake, vault } = session;
  const files = readSnapshot(vault);
  const texts = [...files].map(([path, text]) => ({ isSearched: !path.startsWith('inbox/'), text }));
  await keepsake.search.prepare('fast');
  for (const { behaviour, input, update, after } of filed) {
    const facts = input.facts.filter((fact) => [...after.values()].some((text) => states(text, fact)));
    for (const fact of facts) {
      const found = texts.filter(({ text }) => states(text, fact));
      if (found.length === 0)
        totals.problems.push(`${behaviour}: lost by a later update: ${fact.sentence} (${update.id})`);
      else if (found.every(({ isSearched }) => isSearched) && !(await isFound(keepsake, fact.word)))
        totals.problems.push(`${behaviour}: not found by search: ${fact.word} (${update.id})`);
    }
  }
}

async function isFound(keepsake: Keepsake, word: string): Promise<boolean> {
  const found = await keepsake.readRun('person').search({ queries: [word], mode: 'fast' });
  return (
    found.kind === 'found' &&
    found.passages.some(({ shownLines }) =>
      shownLines.some((line) => line.toLowerCase().includes(word.toLowerCase())),
    )
  );
}
