import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import type { UpdateInput } from '../../../vault/src/contract/index.ts';
import { createBaseline } from './baselines.ts';
import type { BaselineName } from './baselines.ts';
import { createAgentSystem, inputDocuments } from './system-under-test.ts';
import type { SystemUnderTest, FilingResult } from './system-under-test.ts';
import { createEvaluationClock } from './evaluation-clock.ts';
import type { EvaluationClock } from './evaluation-clock.ts';
import type { EvaluationRow, Spent } from './evaluation-run.ts';
import { maxAnswerCharacters } from './evaluate-system.ts';
import { readScenarios, scenarioSets, initialFiles } from './filing-scenarios.ts';
import type { Scenario, ScenarioSet } from './filing-scenarios.ts';
import { markdownIn } from './read-notes.ts';
import { scoreFiling } from './score-filing.ts';
import { createReferenceSystem, readSolution } from './reference-solutions.ts';
import { toScoreFields } from './summarize.ts';
import { updateUsage, sumUsage, trackUsage } from './usage.ts';
import { writeVaultIdentity } from './vault-identity.ts';

/** The configured model, a baseline, or the reference solutions of the scenarios. */
export type SystemName = 'model' | 'solutions' | BaselineName;

export type FilingOptions = {
  /** A folder with `scenarios/`, `sequences/`, `vaults/`, `inputs/` and `solutions/`. */
  data: string;
  who: SystemName;
  /** Only scenarios whose id contains this text. */
  only?: string | undefined;
  set?: ScenarioSet | undefined;
  /** How often each scenario is run. */
  runs?: number | undefined;
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

/** Files the inputs of every scenario in a separate vault, and scores the resulting vault. */
export async function evaluateFiling(options: FilingOptions): Promise<EvaluationRow[]> {
  const { data, who, only, set: selectedSet, runs = 1, onProgress } = options;
  const sets = scenarioSets.filter((set) => selectedSet === undefined || set === selectedSet);
  const scenarios = sets.flatMap((set) =>
    readScenarios(data, set)
      .filter(({ id }) => only === undefined || id.includes(only))
      .map((scenario) => ({ set, scenario })),
  );
  const tries = Array.from({ length: runs }, (_, index) =>
    scenarios.map((each) => ({
      ...each,
      run: index + 1,
      contender: createSystem(who, data, each.scenario),
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
  // A model gets one request at a time, as in normal use. The other systems mostly wait for the disk, so they run in parallel.
  await Promise.all(Array.from({ length: who === 'model' ? 1 : 4 }, work));
  return rows;
}

async function runScenario(
  scenario: Scenario,
  contender: SystemUnderTest,
  options: FilingOptions,
): Promise<Omit<EvaluationRow, 'set' | 'run'>> {
  const scratch = mkdtempSync(join(options.environment.temporaryFolder, 'keepsake-eval-'));
  try {
    return await runInScratch(scratch, scenario, contender, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runInScratch(
  scratch: string,
  scenario: Scenario,
  contender: SystemUnderTest,
  { data, environment, hasPrices }: FilingOptions,
): Promise<Omit<EvaluationRow, 'set' | 'run'>> {
  const vault = join(scratch, 'vault');
  const before = initialFiles(data, scenario);
  writeFiles(vault, before);
  writeVaultIdentity(vault);
  const clock = createEvaluationClock(before);
  const since = performance.now();
  const keepsake = await openKeepsake({
    vault,
    state: join(scratch, 'state'),
    // Templates exist in two languages; they matter only for files that are missing in the vault.
    environment: { ...environment, language: scenario.language === 'fr' ? 'fr' : 'en' },
    clock: clock.now,
    model: contender.model,
  });
  const parts = { keepsake, contender, clock, hasPrices };
  try {
    const inputs = scenario.inputs.map((input) => ({ at: input.at, input: toUpdateInput(data, input) }));
    const { filed, days, spent } = await fileInputs(inputs, parts);
    for (const words of scenario.forget) await contender.forget?.(keepsake, words);
    const questions = await askQuestions(scenario.expect.questions, parts);
    const score = scoreFiling(
      scenario,
      { files: before, documents: inputs.flatMap(({ input }) => inputDocuments(input)) },
      {
        files: markdownIn(vault),
        settled: filed.filter(({ isSettled }) => isSettled).length,
        held: filed.some(({ isHeld }) => isHeld),
        days,
        answers: questions.answers,
        receipts: filed.flatMap(({ receipt }) => receipt ?? []),
      },
    );
    const scoreFields = toScoreFields(score);
    return {
      id: scenario.id,
      ...scoreFields,
      works: inputs.length,
      repairs: contender.repairs?.() ?? 0,
      spent,
      spentAsking: questions.spent,
      seconds: (performance.now() - since) / 1000,
      problems: [
        ...filed.flatMap(({ problems }) => problems),
        ...questions.problems,
        ...scoreFields.problems,
      ],
    };
  } finally {
    await keepsake.close();
  }
}

function createSystem(who: SystemName, data: string, scenario: Scenario): SystemUnderTest {
  if (who === 'model') return createAgentSystem();
  if (who !== 'solutions') return createBaseline(who);
  const solution = readSolution(data, scenario);
  if (solution === null)
    throw new AppError('bad-input', `no solution for ${scenario.id} in ${join(data, 'solutions')}`, {
      hint: 'write it, or select other scenarios with --only',
    });
  return createReferenceSystem(solution);
}

type Parts = { keepsake: Keepsake; contender: SystemUnderTest; clock: EvaluationClock; hasPrices: boolean };

async function fileInputs(
  inputs: readonly { at: string | undefined; input: UpdateInput }[],
  { keepsake, contender, clock, hasPrices }: Parts,
): Promise<{ filed: FilingResult[]; days: string[]; spent: Spent }> {
  const filed: FilingResult[] = [];
  const days: string[] = [];
  for (const [index, { at, input }] of inputs.entries()) {
    if (at !== undefined) clock.set(at);
    days.push(clock.day());
    filed.push(await contender.file(keepsake, input, index, clock));
    days.push(clock.day());
  }
  return { filed, days, spent: sumUsage(filed.map(({ spent }) => updateUsage(spent, hasPrices))) };
}

async function askQuestions(
  questions: Scenario['expect']['questions'],
  { keepsake, contender, hasPrices }: Parts,
): Promise<{ answers: string[][]; spent: Spent | null; problems: string[] }> {
  const answers: string[][] = [];
  const problems: string[] = [];
  const spending = trackUsage(keepsake.agents, hasPrices);
  for (const [index, { question }] of questions.entries())
    try {
      const lines = await contender.ask(keepsake, question, index);
      answers.push(lines.join('\n').slice(0, maxAnswerCharacters).split('\n').filter(isContentLine));
    } catch (error) {
      problems.push(describeError(error));
      answers.push([]);
    }
  return { answers, spent: questions.length === 0 ? null : spending(), problems };
}

/** Excludes the frontmatter fields that code maintains, which carry no content. */
function isContentLine(line: string): boolean {
  return !/^(?:created|updated|tokens): /.test(line);
}

function toUpdateInput(
  data: string,
  { text, files, source, inboxRef }: Scenario['inputs'][number],
): UpdateInput {
  return {
    text,
    files: files.map((name) => ({ name, bytes: readFileSync(join(data, 'inputs', name)) })),
    source: { kind: source, name: source === 'person' ? 'keepsake add' : 'email' },
    ...(inboxRef !== undefined && { inboxRef }),
  };
}

function writeFiles(vault: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
}
