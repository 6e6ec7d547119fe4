import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import type { UpdateInput } from '../../../vault/src/contract/index.ts';
import { baseline } from './baselines.ts';
import type { BaselineName } from './baselines.ts';
import { agentsWith, documentsIn } from './contender.ts';
import type { Contender, Filed } from './contender.ts';
import { startClock } from './evaluation-clock.ts';
import type { EvaluationClock } from './evaluation-clock.ts';
import type { EvaluationRow, Spent } from './evaluation-run.ts';
import { readScenarios, scenarioSets, startingFiles } from './filing-scenarios.ts';
import type { Scenario, ScenarioSet } from './filing-scenarios.ts';
import { markdownIn } from './markdown-in.ts';
import { scoreFiling } from './score-filing.ts';
import { following, readSolution } from './solutions.ts';
import { spentOn, sumSpent, watchSpending } from './spent.ts';

/** The configured model, what does without one, or the solutions that come with the scenarios. */
export type Who = 'model' | 'solutions' | BaselineName;

export type FilingOptions = {
  /** A folder with `scenarios/`, `sequences/`, `vaults/`, `inputs/` and `solutions/`. */
  data: string;
  who: Who;
  /** Only scenarios whose id has this in it. */
  only?: string | undefined;
  set?: ScenarioSet | undefined;
  /** How often each scenario is done. */
  runs?: number | undefined;
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

/** Files the inputs of every scenario in a vault of its own, and scores what the vault is then. */
export async function evaluateFiling(options: FilingOptions): Promise<EvaluationRow[]> {
  const { data, who, only, set: wanted, runs = 1, onProgress } = options;
  const sets = scenarioSets.filter((set) => wanted === undefined || set === wanted);
  const scenarios = sets.flatMap((set) =>
    readScenarios(data, set)
      .filter(({ id }) => only === undefined || id.includes(only))
      .map((scenario) => ({ set, scenario })),
  );
  const tries = Array.from({ length: runs }, (_, index) =>
    scenarios.map((each) => ({
      ...each,
      run: index + 1,
      contender: contenderOf(who, data, each.scenario),
    })),
  ).flat();
  const rows: EvaluationRow[] = [];
  let done = 0;
  const left = tries.entries();
  const work = async (): Promise<void> => {
    for (const [index, { scenario, contender, set, run }] of left) {
      rows[index] = { ...(await runScenario(scenario, contender, options)), set, run };
      onProgress((done += 1), tries.length);
    }
  };
  // A model is asked one thing at a time, as it is in use; what answers at once waits for the disk most of the time.
  await Promise.all(Array.from({ length: who === 'model' ? 1 : 4 }, work));
  return rows;
}

async function runScenario(
  scenario: Scenario,
  contender: Contender,
  options: FilingOptions,
): Promise<Omit<EvaluationRow, 'set' | 'run'>> {
  const scratch = mkdtempSync(join(options.environment.temporaryFolder, 'keepsake-eval-'));
  try {
    return await runIn(scratch, scenario, contender, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runIn(
  scratch: string,
  scenario: Scenario,
  contender: Contender,
  { data, environment, hasPrices }: FilingOptions,
): Promise<Omit<EvaluationRow, 'set' | 'run'>> {
  const vault = join(scratch, 'vault');
  const before = startingFiles(data, scenario);
  layOut(vault, before);
  const clock = startClock(before);
  const since = performance.now();
  const keepsake = await openKeepsake({
    vault,
    state: join(scratch, 'state'),
    // There are templates in two languages; they matter only to files that a vault has not got.
    environment: { ...environment, language: scenario.language === 'fr' ? 'fr' : 'en' },
    clock: clock.now,
    model: contender.model,
  });
  const parts = { keepsake, contender, clock, hasPrices };
  try {
    const inputs = scenario.inputs.map((input) => ({ at: input.at, input: inputFrom(data, input) }));
    const { filed, days, spent } = await fileAll(inputs, parts);
    const asked = await askAll(scenario.expect.questions, parts);
    const score = scoreFiling(
      scenario,
      { files: before, documents: inputs.flatMap(({ input }) => documentsIn(input)) },
      {
        files: markdownIn(vault),
        settled: filed.filter(({ isSettled }) => isSettled).length,
        held: filed.some(({ isHeld }) => isHeld),
        days,
        answers: asked.answers,
      },
    );
    const failed = Object.entries(score.dimensions).filter(([, { passed, of }]) => passed < of);
    return {
      id: scenario.id,
      strict: score.strict,
      score: score.normalised,
      failed: failed.map(([name]) => name),
      works: inputs.length,
      spent,
      spentAsking: asked.spent,
      seconds: (performance.now() - since) / 1000,
      problems: [
        ...filed.flatMap(({ problems }) => problems),
        ...asked.problems,
        ...failed.flatMap(([, { problems }]) => problems),
      ],
    };
  } finally {
    await keepsake.close();
  }
}

function contenderOf(who: Who, data: string, scenario: Scenario): Contender {
  if (who === 'model') return agentsWith();
  if (who !== 'solutions') return baseline(who);
  const solution = readSolution(data, scenario);
  if (solution === null)
    throw new AppError('bad-input', `there is no solution for ${scenario.id} in ${join(data, 'solutions')}`, {
      mend: 'write it, or choose others with --only',
    });
  return following(solution);
}

type Parts = { keepsake: Keepsake; contender: Contender; clock: EvaluationClock; hasPrices: boolean };

async function fileAll(
  inputs: readonly { at: string | undefined; input: UpdateInput }[],
  { keepsake, contender, clock, hasPrices }: Parts,
): Promise<{ filed: Filed[]; days: string[]; spent: Spent }> {
  const filed: Filed[] = [];
  const days: string[] = [];
  for (const [index, { at, input }] of inputs.entries()) {
    if (at !== undefined) clock.set(at);
    days.push(clock.day());
    filed.push(await contender.file(keepsake, input, index, clock));
    days.push(clock.day());
  }
  return { filed, days, spent: sumSpent(filed.map(({ spent }) => spentOn(spent, hasPrices))) };
}

/** Only so much of an answer counts: who shows the whole vault has answered nothing. */
const longestAnswer = 16_000;

async function askAll(
  questions: Scenario['expect']['questions'],
  { keepsake, contender, hasPrices }: Parts,
): Promise<{ answers: string[][]; spent: Spent | null; problems: string[] }> {
  const answers: string[][] = [];
  const problems: string[] = [];
  const spending = watchSpending(keepsake.agents, hasPrices);
  for (const [index, { question }] of questions.entries())
    try {
      const lines = await contender.ask(keepsake, question, index);
      answers.push(lines.join('\n').slice(0, longestAnswer).split('\n').filter(isNoStamp));
    } catch (error) {
      problems.push(describeError(error));
      answers.push([]);
    }
  return { answers, spent: questions.length === 0 ? null : spending(), problems };
}

/** What code writes into the frontmatter says nothing. */
function isNoStamp(line: string): boolean {
  return !/^(?:created|updated|tokens): /.test(line);
}

function inputFrom(data: string, { text, files, source, inboxRef }: Scenario['inputs'][number]): UpdateInput {
  return {
    text,
    files: files.map((name) => ({ name, bytes: readFileSync(join(data, 'inputs', name)) })),
    source: { kind: source, name: source === 'person' ? 'keepsake add' : 'email' },
    ...(inboxRef !== undefined && { inboxRef }),
  };
}

function layOut(vault: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
}
