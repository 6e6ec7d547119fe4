import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openKeepsake } from '../app/index.ts';
import type { Environment, Update } from '../app/index.ts';
import type { EvaluationRow } from './compare-runs.ts';
import { readScenarios, startingFiles } from './filing-scenarios.ts';
import type { Scenario } from './filing-scenarios.ts';
import { scoreFiling } from './score-filing.ts';
import type { FilingScore } from './score-filing.ts';

type Options = {
  /** A folder with `scenarios/`, `vaults/` and `inputs/`. */
  data: string;
  /** Only scenarios whose id has this in it. */
  only?: string | undefined;
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

/** Files the inputs of every scenario in a vault of its own, and scores what the vault is then. */
export async function evaluateFiling({
  data,
  only,
  onProgress,
  ...options
}: Options): Promise<EvaluationRow[]> {
  const scenarios = readScenarios(data).filter(({ id }) => only === undefined || id.includes(only));
  const rows: EvaluationRow[] = [];
  for (const scenario of scenarios) {
    rows.push(await runScenario(data, scenario, options));
    onProgress(rows.length, scenarios.length);
  }
  return rows;
}

async function runScenario(
  data: string,
  scenario: Scenario,
  { environment, hasPrices }: Pick<Options, 'environment' | 'hasPrices'>,
): Promise<EvaluationRow> {
  const scratch = mkdtempSync(join(tmpdir(), 'keepsake-eval-'));
  const vault = join(scratch, 'vault');
  const before = startingFiles(data, scenario);
  for (const [path, text] of before) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
  const since = performance.now();
  const keepsake = await openKeepsake({
    vault,
    state: join(scratch, 'state'),
    environment: { ...environment, language: scenario.language },
    clock: clockOf(before),
  });
  try {
    const { updates } = keepsake.agents;
    const filed: Update[] = [];
    const errors: string[] = [];
    for (const input of scenario.inputs) {
      const { id } = updates.accept({
        text: input.text,
        files: input.files.map((name) => ({
          name,
          bytes: readFileSync(join(data, 'inputs', name)),
        })),
        source: { kind: input.source, name: input.source === 'person' ? 'keepsake add' : 'email' },
        ...(input.inboxRef !== undefined && { inboxRef: input.inboxRef }),
      });
      await updates.work(id, new AbortController().signal, (error) => void errors.push(String(error)));
      const update = updates.find(id);
      if (update !== undefined) filed.push(update);
    }
    const seconds = (performance.now() - since) / 1000;
    const held = filed.some(({ result }) => result?.kind === 'held');
    const score = scoreFiling(scenario, before, filesIn(vault), { held });
    const failures = filed.flatMap(({ state, reason }) => (state === 'done' ? [] : [`${state}: ${reason}`]));
    const { tokens, cost } = keepsake.agents.spentToday();
    return {
      id: scenario.id,
      // What was not filed at all cannot be right by chance.
      score: failures.length > 0 ? 0 : score.share,
      tokens,
      cost: hasPrices ? cost : null,
      seconds,
      problems: [...failures, ...errors, ...problemsOf(score)],
    };
  } finally {
    await keepsake.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function problemsOf(score: FilingScore): string[] {
  return Object.values(score).flatMap((each) => (typeof each === 'number' ? [] : each.problems));
}

/** Time goes on from the last edit of the vault, so that «tomorrow» means the same in every run. */
function clockOf(files: ReadonlyMap<string, string>): () => number {
  const stamps = [...files.values()].flatMap((text) => /^updated: (\S+)$/m.exec(text)?.[1] ?? []);
  const [last, began] = [Date.parse(stamps.toSorted().at(-1) ?? ''), Date.now()];
  return Number.isNaN(last) ? Date.now : () => last + Date.now() - began;
}

function filesIn(vault: string): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: vault }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [path, readFileSync(join(vault, path), 'utf8')]));
}
