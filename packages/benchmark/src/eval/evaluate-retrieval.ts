import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { formatSearchResult } from '../../../vault/src/tools/index.ts';
import { openPlainSearch } from './plain-search.ts';
import { createRetrievalMetrics, createStopwatch } from './retrieval-metrics.ts';
import type { RetrievalMetrics, Question } from './retrieval-metrics.ts';

const place = z.object({ path: z.string(), lines: z.tuple([z.int(), z.int()]) });
const question = z.object({
  id: z.string(),
  query: z.union([z.string(), z.array(z.string()).min(1)]),
  reader: z.enum(['model', 'person']).optional(),
  scopes: z.array(z.string()).optional(),
  relevant: z.array(place).min(1),
  forbidden: z.array(place).optional(),
});

const parts = ['tuning', 'held-out'] as const;
export type Split = (typeof parts)[number];

type Options = {
  /** A folder with `vault/` and `queries.jsonl`. */
  data: string;
  mode: 'fast' | 'deep';
  /** Another such folder, whose files are added as distractors. */
  with?: string | undefined;
  /** The number of questions to use, selected at regular intervals. */
  limit?: number | undefined;
  /** Selects every other question: one half is for tuning, the other for verifying the result. */
  part?: Split | undefined;
  /** Where the index is kept for the next run. Without it, the index is discarded. */
  state?: string | undefined;
  environment: Environment;
  onProgress: (done: number, total: number) => void;
};

/** The figures of Keepsake and of FTS5 alone, asked in turn, question by question. */
export type RetrievalComparison = { keepsake: RetrievalMetrics; plain: RetrievalMetrics };

/** Searches for every question of a set and compares the results with the lines that answer it. */
export async function evaluateRetrieval(options: Options): Promise<RetrievalComparison> {
  const { data, mode, environment, onProgress } = options;
  const all = sample(readQuestions(join(data, 'queries.jsonl')), options.limit);
  const { part } = options;
  const questions = part === undefined ? all : all.filter((_, index) => index % 2 === parts.indexOf(part));
  const scratch = mkdtempSync(join(environment.temporaryFolder, 'keepsake-eval-'));
  try {
    const vaults = [data, ...(options.with === undefined ? [] : [options.with])];
    // Works on a copy, because opening a vault may change its files and line numbers.
    for (const each of vaults) cpSync(join(each, 'vault'), join(scratch, 'vault'), { recursive: true });
    const state = options.state ?? join(scratch, 'state');
    const keepsake = await openKeepsake({ vault: join(scratch, 'vault'), state, environment });
    const [measuring, measuringPlain] = [createRetrievalMetrics(), createRetrievalMetrics()];
    await keepsake.search.prepare(mode, onProgress);
    await keepsake.search.indexDocuments({ signal: new AbortController().signal, onProgress });
    const plain = openPlainSearch(join(state, 'index.sqlite'));
    for (const [index, each] of questions.entries()) {
      const elapsed = createStopwatch();
      const outcome = await keepsake
        .readRun(each.reader ?? 'model')
        .search({ queries: [each.query].flat(), mode, scopes: each.scopes });
      const time = elapsed();
      if (outcome.kind === 'bad-scope') throw new Error(`${each.id}: ${outcome.reason}`);
      measuring.add(each, {
        ranked: outcome.ranked,
        shown: formatSearchResult(outcome).value.sections,
        ...time,
      });
      measuringPlain.add(each, plain.search([each.query].flat().join(' '), each.scopes));
      onProgress(index + 1, questions.length);
    }
    plain.close();
    await keepsake.close();
    return { keepsake: measuring.finish(), plain: measuringPlain.finish() };
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
