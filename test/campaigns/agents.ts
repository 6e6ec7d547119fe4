import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Update } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { failingModel, faultKinds, markedFiles, markOf, openTopic } from './agents-model.ts';
import { always, planRun, updatesPerRun } from './agents-plan.ts';
import type { Kill, Plan } from './agents-plan.ts';
import { inParallel, leftovers, Place } from './scenario.ts';

const numbers = Array.from({ length: updatesPerRun }, (_, number) => number);
const attemptsOfQueue = 3;

/**
 * Files updates with a model that fails in one of its turns, and kills the process at random times. Every acknowledged
 * update is either filed completely and once, or parked with a reason and without any effect; later updates are not
 * affected.
 */
export async function agentsCampaign(count: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 7);
  const started = performance.now();
  const plans = Array.from({ length: count }, (_, run) => planRun(run, seed));
  const outcomes = { filed: 0, held: 0, parked: 0, retried: 0, kills: 0 };
  const failures = await inParallel(plans, async (plan) => {
    const place = new Place();
    try {
      const report = await oneRun(plan, place);
      outcomes.kills += report.kills;
      return [...new Set(judge(plan, place, report, outcomes))];
    } finally {
      place.remove();
    }
  });
  const kinds = faultKinds.map(
    (kind) => `${kind} ${plans.filter(({ fault }) => fault.kind === kind).length}`,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const { filed, held, parked, retried, kills } = outcomes;
  console.log(
    `agents: seed ${seed}, ${count} runs of ${updatesPerRun} updates in ${seconds} s (${kinds.join(', ')}): ${filed} done, ${held} held, ${parked} parked, ${retried} of all after a retry; ${kills} kills`,
  );
  const isReal = kills >= count / 3 && parked > 0 && retried > 0;
  if (!isReal) console.log('FAILED: too few of the faults occurred');
  return failures + (isReal ? 0 : 1);
}

type Outcomes = Record<'filed' | 'held' | 'parked' | 'retried', number>;

/** The combined output of the workers of a run. */
type RunReport = {
  ids: Map<number, string>;
  reasons: string[];
  complaints: string[];
  over: Over | null;
  kills: number;
};
type Over = { updates: Update[]; journal: { id: string; state: string }[]; recordError: string | null };

async function oneRun(plan: Plan, place: Place): Promise<RunReport> {
  layOut(plan, place);
  const report: RunReport = { ids: new Map(), reasons: [], complaints: [], over: null, kills: 0 };
  const model = await startScriptedModel();
  const environment = {
    XDG_CONFIG_HOME: join(place.folder, 'config'),
    KEEPSAKE_MODEL: plan.protocol === 'openai' ? 'openai-compatible/test' : 'anthropic/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
  };
  let killFor: ReturnType<typeof killer> | null = null;
  model.respond(
    failingModel(plan, plan.fault, {
      onAsked: (update, turn) => killFor?.('question', update, turn),
      onRefused: (message) => void report.complaints.push(`a tool rejected a call: ${message}`),
    }),
  );
  for (let start = 0; report.over === null && start <= plan.kills.length; start += 1) {
    const worker = startWorker(plan, place, environment, start, report);
    killFor = killer(worker, plan.kills[start]);
    await listen(worker, report, killFor);
  }
  await model.close();
  return report;
}

function layOut({ fault }: Plan, { folder, vault }: Place): void {
  initVault(vault, { language: 'en', home: folder, clock: Date.now });
  const [project, config] = [join(vault, 'projects/startup-x'), join(folder, 'config/keepsake')];
  for (const each of [project, config]) mkdirSync(each, { recursive: true });
  writeFileSync(join(project, 'state.md'), `## Topics\n${numbers.map(openTopic).join('\n\n')}\n`);
  writeFileSync(join(project, 'changelog.md'), '# 2025-07-01\n\n## Began\nFirst day.\n');
  // Only a silent model needs a timeout.
  if (fault.kind === 'silent') writeFileSync(join(config, 'config.yaml'), 'limits:\n  minutes: 0.03\n');
}

/** Starts a worker that submits unacknowledged updates again, under the same keys. */
function startWorker(
  plan: Plan,
  { vault, state }: Place,
  environment: Record<string, string>,
  start: number,
  { ids }: RunReport,
): ChildProcess {
  const inputs = numbers
    .filter((number) => !ids.has(number))
    .map((number) => ({
      number,
      key: markOf(plan, number),
      input: {
        text: `Topic ${number} is settled: ${markOf(plan, number)}.`,
        files: [],
        source: { kind: plan.held === number ? 'other' : 'person', name: 'campaign' },
      },
    }));
  // The clock of each worker is further ahead, so that the lease of the previous worker has expired.
  const job = JSON.stringify({ vault, state, inputs, ahead: start * 600_000 });
  return spawn(process.execPath, [join(import.meta.dirname, 'agents-worker.mjs'), job], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Kills the worker after the event that `kill` names. */
function killer(worker: ChildProcess, kill: Kill | undefined) {
  return (what: Kill['after'], update: number, turn: number): void => {
    if (kill?.after !== what || (what !== 'start' && kill.update !== update)) return;
    if (what !== 'question' || kill.turn === turn) setTimeout(() => worker.kill('SIGKILL'), kill.delay);
  };
}

/** Records the output of a worker until it exits or is killed. */
async function listen(
  worker: ChildProcess,
  report: RunReport,
  killFor: ReturnType<typeof killer>,
): Promise<void> {
  killFor('start', 0, 0);
  if (worker.stdout !== null)
    createInterface(worker.stdout).on('line', (line) => {
      const said = JSON.parse(line) as Said;
      if (said.what === 'accepted') {
        report.ids.set(said.number, said.id);
        killFor('acknowledgement', said.number, 0);
      } else if (said.what === 'failed') report.reasons.push(said.reason);
      else if (said.what === 'broke') report.complaints.push(said.error);
      else report.over = said;
    });
  worker.stderr?.on('data', (chunk: Buffer) => void report.complaints.push(chunk.toString()));
  const stuck = setTimeout(() => {
    report.complaints.push('a worker did not exit');
    worker.kill('SIGKILL');
  }, 30_000);
  await new Promise((done) => worker.on('close', done));
  clearTimeout(stuck);
  if (worker.signalCode === 'SIGKILL') report.kills += 1;
}

type Said =
  | { what: 'accepted'; number: number; id: string }
  | { what: 'failed'; reason: string }
  | { what: 'broke'; error: string }
  | ({ what: 'over' } & Over);

/** Checks the invariants after a run. */
function judge(plan: Plan, { vault }: Place, report: RunReport, outcomes: Outcomes): string[] {
  const { over, ids, reasons, kills } = report;
  const obscure = reasons.filter((reason) => !isUnderstandable(reason)).map((reason) => `reason: ${reason}`);
  const complaints = [...report.complaints, ...obscure, ...leftovers(vault)];
  if (over === null) return [...complaints, 'the queue was never finished'];
  const { updates, journal, recordError } = over;
  if (recordError !== null) complaints.push(`not in history: ${recordError}`);
  if (updates.length !== updatesPerRun) complaints.push(`${updates.length} updates in the queue`);

  for (const number of numbers) {
    const update = updates.find(({ id }) => id === ids.get(number));
    if (update === undefined) {
      complaints.push(`update ${number} was acknowledged but is not in the queue`);
      continue;
    }
    const outcome = outcomeOf(update);
    const inJournal = journal.find(({ id }) => id === update.id)?.state ?? 'nothing';
    const marks = filesWith(vault, markOf(plan, number)).join(', ');
    const found = `update ${number} is ${outcome ?? update.state} after ${update.attempts} attempts (reason: ${update.reason?.text}); in the journal: ${inJournal}; marks in: ${marks}`;
    const isRight = {
      filed: marks === markedFiles.join(', ') && inJournal === 'applied' && number !== plan.held,
      held: marks === '' && inJournal === 'held' && number === plan.held,
      parked: marks === '' && inJournal === 'nothing' && isUnderstandable(update.reason?.text ?? null),
    };
    const broken = plan.fault.update === number ? plan.fault.attempts : 0;
    if (outcome === null || !isRight[outcome]) complaints.push(found);
    else if (outcome !== 'parked' && broken === always)
      complaints.push(`impossible for this model: ${found}`);
    else if (
      outcome === 'parked' &&
      broken !== always &&
      broken + kills < attemptsOfQueue &&
      // On a busy machine, the short timeout for a silent model may also expire without a fault.
      !(plan.fault.kind === 'silent' && update.reason?.text.includes('reached the limit of') === true)
    )
      complaints.push(`parked without a fault: ${found}`);
    if (outcome !== null) outcomes[outcome] += 1;
    if (update.attempts > 1) outcomes.retried += 1;
  }

  const filed = updates.filter((update) => outcomeOf(update) === 'filed');
  const entries = readFileSync(join(vault, 'changelog.md'), 'utf8').match(/^## /gm)?.length ?? 0;
  if (entries !== filed.length)
    complaints.push(`${entries} entries in the changelog for ${filed.length} updates`);
  const order = journal.map(({ id }) => numbers.find((number) => ids.get(number) === id) ?? -1);
  if (order.join() !== order.toSorted((a, b) => b - a).join())
    complaints.push(`out of order: ${order.join(', ')}`);
  return complaints;
}

/** Null when it is not a valid final state of an update. */
function outcomeOf({ state, result }: Update): 'filed' | 'held' | 'parked' | null {
  if (state === 'parked') return state;
  return state === 'done' && (result?.kind === 'filed' || result?.kind === 'held') ? result.kind : null;
}

/** Whether a user who does not know the code can understand the reason. */
function isUnderstandable(reason: string | null): boolean {
  return (
    reason !== null &&
    /\w+ \w+/.test(reason) &&
    !/\n\s+at |undefined|\[object|AI_|Error:|\bnull\b/.test(reason)
  );
}

/** Lists each file as often as it contains the text. */
function filesWith(vault: string, text: string): string[] {
  const files = readdirSync(vault, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split(text)
        .slice(1)
        .map(() => relative(vault, file)),
    )
    .toSorted();
}
