import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { showFound } from '../../../vault/src/tools/index.ts';
import { startMeasuring } from './measure-retrieval.ts';
import type { Figures, Question } from './measure-retrieval.ts';

const question = z.object({
  id: z.string(),
  query: z.string(),
  scopes: z.array(z.string()).optional(),
  relevant: z.array(z.object({ path: z.string(), lines: z.tuple([z.int(), z.int()]) })).min(1),
});

const parts = ['tuning', 'held-out'] as const;
export type Part = (typeof parts)[number];

type Options = {
  /** A folder with `vault/` and `queries.jsonl`. */
  data: string;
  mode: 'fast' | 'deep';
  /** Another such folder, whose files are mixed in as distraction. */
  with?: string | undefined;
  /** Every n-th question, so that so many remain. */
  limit?: number | undefined;
  /** Every other one of these, so that something is left to check with what was tuned. */
  part?: Part | undefined;
  /** Where the index is kept for the next time; else it is thrown away. */
  state?: string | undefined;
  environment: Environment;
  onProgress: (done: number, total: number) => void;
};

/** Asks every question of a set and compares what comes back with the lines that answer it. */
export async function evaluateRetrieval(options: Options): Promise<Figures> {
  const { data, mode, environment, onProgress } = options;
  const all = sample(readQuestions(join(data, 'queries.jsonl')), options.limit);
  const { part } = options;
  const questions = part === undefined ? all : all.filter((_, index) => index % 2 === parts.indexOf(part));
  const scratch = mkdtempSync(join(environment.temporaryFolder, 'keepsake-eval-'));
  try {
    const vaults = [data, ...(options.with === undefined ? [] : [options.with])];
    // A copy: measuring must not change what is measured, and line numbers count.
    for (const each of vaults) cpSync(join(each, 'vault'), join(scratch, 'vault'), { recursive: true });
    const state = options.state ?? join(scratch, 'state');
    const keepsake = await openKeepsake({ vault: join(scratch, 'vault'), state, environment });
    const measuring = startMeasuring();
    await keepsake.search.prepare(mode, onProgress);
    for (const [index, each] of questions.entries()) {
      const since = performance.now();
      const outcome = await keepsake
        .readRun('model')
        .search({ queries: [each.query], mode, scopes: each.scopes });
      const milliseconds = performance.now() - since;
      if (outcome.kind === 'bad-scope') throw new Error(`${each.id}: ${outcome.reason}`);
      measuring.add(each, { ranked: outcome.ranked, shown: showFound(outcome).value.sections, milliseconds });
      onProgress(index + 1, questions.length);
    }
    await keepsake.close();
    return measuring.finish();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readQuestions(file: string): Question[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => (line.trim() === '' ? [] : [question.parse(JSON.parse(line))]));
}

function sample<Item>(items: readonly Item[], count: number | undefined): Item[] {
  if (count === undefined || count >= items.length) return [...items];
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor((index * items.length) / count)] as Item,
  );
}
