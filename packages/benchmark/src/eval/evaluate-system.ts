import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError, formatLocalTime } from '../../../vault/src/contract/index.ts';
import type { EvaluationRow, Spent } from './evaluation-run.ts';
import { initialFiles, readScenarios, scenarioSets } from './filing-scenarios.ts';
import type { Scenario, ScenarioSet } from './filing-scenarios.ts';
import type { FilingOutcome } from './filing-outcome.ts';
import { scoreFiling } from './score-filing.ts';
import { toScoreFields } from './summarize.ts';
import { extractAnswer } from './systems/extract-answer.ts';
import type {
  FiledInput,
  MemorySystem,
  ReportedUsage,
  SystemFactory,
  SystemInput,
} from './systems/memory-system.ts';

export type SystemOptions = {
  start: SystemFactory;
  data: string;
  only?: string | undefined;
  set?: ScenarioSet | undefined;
  runs?: number | undefined;
  /** Scores a system with files like one without, to compare them. */
  withoutLayout?: boolean | undefined;
  /** How many scenarios run at the same time, each with a process and a folder of its own. */
  parallel?: number;
  environment: Environment;
  onProgress: (done: number, total: number) => void;
};

/** Files the inputs of every scenario in a system that was just started, and scores what it keeps. */
export async function evaluateSystemFiling(options: SystemOptions): Promise<EvaluationRow[]> {
  const { data, only, set: selected, runs = 1, parallel = 2, onProgress } = options;
  const tries = Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    scenarioSets
      .filter((set) => selected === undefined || set === selected)
      .flatMap((set) =>
        readScenarios(data, set)
          .filter(({ id }) => only === undefined || id.includes(only))
          .map((scenario) => ({ set, scenario, run })),
      ),
  );
  const rows: EvaluationRow[] = [];
  let done = 0;
  const left = tries.entries();
  const work = async (): Promise<void> => {
    for (const [index, { scenario, set, run }] of left) {
      rows[index] = { ...(await runScenario(scenario, options)), set, run };
      onProgress((done += 1), tries.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return rows;
}

/** Starts a system in a folder of its own, which is removed afterwards. */
export async function withSystem<Result>(
  { start, environment }: Pick<SystemOptions, 'start' | 'environment'>,
  use: (system: MemorySystem) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(environment.temporaryFolder, 'keepsake-eval-'));
  try {
    const system = await start(folder);
    try {
      return await use(system);
    } finally {
      await system.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Row = Omit<EvaluationRow, 'set' | 'run'>;

async function runScenario(scenario: Scenario, options: SystemOptions): Promise<Row> {
  const since = performance.now();
  const row = await withSystem(options, (system) => fileAndScore(scenario, system, options)).catch(
    // Nothing is tried again: a system that fails, fails in this scenario.
    (error: unknown): Omit<Row, 'seconds'> => ({
      id: scenario.id,
      strict: false,
      score: 0,
      failed: ['settled'],
      works: scenario.inputs.length,
      repairs: 0,
      spent: toSpent([]),
      spentAsking: null,
      problems: [describeError(error)],
    }),
  );
  return { ...row, seconds: (performance.now() - since) / 1000 };
}

async function fileAndScore(
  scenario: Scenario,
  system: MemorySystem,
  { data, withoutLayout = false }: Pick<SystemOptions, 'data' | 'withoutLayout'>,
): Promise<Omit<Row, 'seconds'>> {
  const files = initialFiles(data, scenario);
  const times = inputTimes(scenario, files);
  await system.reset({ language: scenario.language, at: times[0] ?? '', files });
  const start = system.offers.has('dump') ? await system.dump() : files;
  const filed: FiledInput[] = [];
  const inputs = scenario.inputs.map((input, index) => toSystemInput(data, input, times[index] ?? ''));
  for (const input of inputs) filed.push(await system.file(input));
  if (system.offers.has('forget')) for (const words of scenario.forget) await system.forget(words);
  const { answers, spent: asking } = await askAll(scenario, system, times.at(-1) ?? '');
  const outcome: FilingOutcome = {
    files: system.offers.has('dump') ? await system.dump() : new Map(),
    settled: filed.filter(({ outcome: each }) => each !== 'failed').length,
    held: filed.some(({ outcome: each }) => each === 'held'),
    days: [...new Set(times.map((at) => at.slice(0, 10)))],
    times,
    answers,
    receipts: filed.flatMap(({ outcome: each, receipt }) =>
      each === 'failed' || receipt === '' ? [] : [{ outcome: each, text: receipt }],
    ),
  };
  const documents = inputs.flatMap((input) => input.files.flatMap(({ text }) => text ?? []));
  const content = !system.offers.has('dump')
    ? 'answers'
    : system.keepsFiles && !withoutLayout
      ? 'files'
      : 'texts';
  const score = scoreFiling(scenario, { files: new Map(start), documents }, outcome, content);
  return {
    id: scenario.id,
    ...toScoreFields(score),
    works: inputs.length,
    repairs: 0,
    spent: toSpent(filed.map(({ usage }) => usage)),
    spentAsking: scenario.expect.questions.length === 0 ? null : toSpent(asking),
  };
}

async function askAll(
  { expect: { questions }, language }: Scenario,
  system: MemorySystem,
  at: string,
): Promise<{ answers: string[][]; spent: (ReportedUsage | undefined)[] }> {
  const answers: string[][] = [];
  const spent: (ReportedUsage | undefined)[] = [];
  for (const { question } of questions) {
    const { evidence, usage } = await askSystem(system, { question, language, at });
    spent.push(usage);
    const text = evidence.map((each) => each.text).join('\n');
    answers.push(text.slice(0, maxAnswerCharacters).split('\n'));
  }
  return { answers, spent };
}

/** Only this many characters of an answer count, because showing the whole vault is not an answer. */
export const maxAnswerCharacters = 16_000;

type Asked = { question: string; queries?: readonly string[]; language: Scenario['language']; at: string };

/** Asks a system; one that only searches gets the sentence of a reader that is the same for all. */
export async function askSystem(
  system: MemorySystem,
  { question, queries = [], language, at }: Asked,
): Promise<Awaited<ReturnType<MemorySystem['ask']>>> {
  if (system.offers.has('ask')) return system.ask(question, at);
  if (!system.offers.has('search')) return { text: '', found: 'no', evidence: [] };
  return extractAnswer(question, language, await system.search([question, ...queries]));
}

export function toSpent(usages: readonly (ReportedUsage | undefined)[]): Spent {
  const all = usages.filter((usage) => usage !== undefined);
  const sum = (valueOf: (usage: ReportedUsage) => number): number =>
    all.reduce((total, each) => total + valueOf(each), 0);
  return {
    steps: all.length,
    fresh: sum(({ input }) => input),
    cached: 0,
    written: 0,
    output: sum(({ output }) => output),
    cost:
      all.length === 0 || all.some(({ cost }) => cost === undefined) ? null : sum(({ cost }) => cost ?? 0),
  };
}

/** The time of each input: as given, or a minute after the one before it. The first follows the newest note. */
function inputTimes({ inputs }: Pick<Scenario, 'inputs'>, files: ReadonlyMap<string, string>): string[] {
  let last = lastStamp(files);
  return inputs.map(({ at }) => {
    const next = Date.parse(last) + 60_000;
    last = at !== undefined && Date.parse(at) >= next ? at : formatLocalTime(next);
    return last;
  });
}

const firstDay = '2026-01-05T09:00:00';

/** The time of the newest note. */
export function lastStamp(files: ReadonlyMap<string, string>): string {
  const stamps = [...files.values()].flatMap((text) => /^updated: (\S+)$/m.exec(text)?.[1] ?? []);
  return stamps.toSorted().at(-1) ?? firstDay;
}

function toSystemInput(
  data: string,
  { text, files, source, inboxRef }: Scenario['inputs'][number],
  at: string,
): SystemInput {
  return {
    text,
    files: files.map((name) => {
      const bytes = readFileSync(join(data, 'inputs', name));
      return /\.(?:md|txt)$/i.test(name)
        ? { name, text: bytes.toString() }
        : { name, base64: bytes.toString('base64') };
    }),
    source,
    at,
    ...(inboxRef !== undefined && { answers: inboxRef }),
  };
}
