import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'better-sqlite3';
import {
  createHybridRetriever,
  embedMissingChunks,
  openChunkIndex,
} from '../packages/vault/src/search/index.ts';
import type { SearchModels, ChunkIndex } from '../packages/vault/src/search/index.ts';
import { chunkFile } from '../packages/vault/src/search/chunker.ts';
import { toRetrievalQuery } from '../packages/vault/src/search/lexical-retriever.ts';
import { defaultLayout } from '../packages/vault/src/vault/index.ts';
import type { Revision, VaultPath } from '../packages/vault/src/vault/index.ts';
import { middleOf, report, timed } from './measure.ts';
import type { Size } from './measure.ts';

const sizes = {
  full: { few: 10_000, many: 250_000, asked: 60, compared: 40 },
  tiny: { few: 100, many: 200, asked: 2, compared: 2 },
};
const [dimensions, topics, wordsPerTopic] = [384, 400, 60];
/** English stop words, which a search ignores. */
const commonWords =
  'the of and to in a is that for it was on are as with they at be this have from or had by but not what all were we when your there an which she do how their if will up about out them then these so some her would him into has'.split(
    ' ',
  );
const tasksPerFile = 50;
const everything = { isInScope: null, from: null, to: null };

/** Measures how the time of deep search grows with the vault, and its recall against an exact scan. */
export async function deepBench(size: Size): Promise<void> {
  const { few, many, asked: count, compared } = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const embedder = createPseudoEmbedder();
  const models: SearchModels = {
    embedder,
    embedderUnavailableReason: '',
    expander: null,
    reranker: null,
    isExcluded: null,
  };
  try {
    const files = { small: join(folder, 'small.sqlite'), large: join(folder, 'large.sqlite') };
    await build(files.small, few, embedder);
    await build(files.large, many, embedder);
    const [small, large] = [await openChunkIndex(files.small), await openChunkIndex(files.large)];
    const asked = Array.from({ length: 2 * count }, (_, number) => question(number));
    const vectors = await embedder.embed(asked, 'query', new AbortController().signal);

    const before = memoryUsed();
    const opened = await timed(() =>
      large.vectors(embedder.fingerprint).nearest(vectors[0]!, everything, 10),
    );
    const windows = countWindows(files.large);
    const memory = memoryUsed() - before;
    console.log(
      `${many} sections have ${windows.count} vectors: ${(windows.bytes / windows.count).toFixed(0)} bytes each on disk, ${(memory / windows.count).toFixed(0)} in memory (${(memory / 2 ** 20).toFixed(0)} MiB), read once in ${opened.toFixed(0)} ms`,
    );

    const [deep, stage] = [
      { small: [] as number[], large: [] as number[] },
      { small: [] as number[], large: [] as number[] },
    ];
    const ask = {
      small: createHybridRetriever(small, () => models),
      large: createHybridRetriever(large, () => models),
    };
    let heldUp = 0;
    // Every timing uses a question that was not searched before, so that it includes reading from disk.
    for (let number = 0; number < asked.length; number += 2)
      for (const kind of ['small', 'large'] as const) {
        const table = (kind === 'small' ? small : large).vectors(embedder.fingerprint);
        const query = toRetrievalQuery(asked[number]!, everything, kind === 'small' ? small : large);
        deep[kind].push(await timed(() => ask[kind]([query])));
        stage[kind].push(await timed(() => table.nearest(vectors[number + 1]!, everything, 60)));
        heldUp = Math.max(heldUp, await maxBlockMs(() => table.nearest(vectors[number]!, everything, 60)));
      }
    const others = `among ${few}`;
    report(
      `deep query among ${many} sections, p50`,
      middleOf(deep.large),
      { name: others, time: middleOf(deep.small) },
      4,
    );
    console.log(
      `its vectors alone, p50: ${middleOf(stage.large).toFixed(1)} ms, ${others} ${middleOf(stage.small).toFixed(1)} ms`,
    );
    console.log(`longest block of the event loop by vectors: ${heldUp.toFixed(0)} ms`);

    const recall = await recallOf(large, files.large, vectors.slice(0, compared), embedder.fingerprint);
    console.log(
      `of the 10 nearest by an exact scan it finds ${recall.toFixed(3)}; at least 0.98: ${recall >= 0.98 ? 'reached' : 'NOT REACHED'}`,
    );
    for (const index of [small, large]) index.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The longest time for which the work blocks the event loop, in milliseconds. */
async function maxBlockMs(work: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  let [longest, last] = [0, performance.now()];
  const working = work().finally(() => (state.isDone = true));
  while (!state.isDone) {
    await setImmediate();
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  await working;
  return longest;
}

/** The resident memory after garbage collection, in bytes. */
function memoryUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage.rss();
}

type Embedder = NonNullable<SearchModels['embedder']>;

async function build(file: string, sections: number, embedder: Embedder): Promise<void> {
  const index = await openChunkIndex(file);
  const known = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
  const random = randomFrom(7);
  for (let first = 0; first < sections; first += 20 * tasksPerFile)
    index.transaction(() => {
      for (
        let number = first;
        number < Math.min(first + 20 * tasksPerFile, sections);
        number += tasksPerFile
      ) {
        const path = `vault/projects/p${number / tasksPerFile}/tasks.md` as VaultPath;
        const tasks = Array.from({ length: tasksPerFile }, () => task(random));
        index.upsertFile(path, known, chunkFile(path, tasks.join('\n'), defaultLayout));
      }
    });
  await embedMissingChunks(index, embedder);
  index.close();
}

/** A text about one topic, one to seven windows long. */
function task(random: () => number): string {
  const topic = Math.floor(random() * topics);
  const lines = Array.from({ length: 2 + Math.floor(random() * 12) }, () =>
    Array.from({ length: 30 }, () => word(random, topic)).join(' '),
  );
  return `# ${word(random, topic)} ${word(random, topic)}\n${lines.join('\n')}\n`;
}

/**
 * Half of all words are common to all topics; the others belong to the topic or an adjacent one. In each group, a few
 * words are much more frequent than the rest.
 */
function word(random: () => number, topic: number): string {
  const isCommon = random() < 0.5;
  if (isCommon) return commonWords[Math.floor(commonWords.length * random() ** 2)]!;
  const near = random() < 0.3 ? (topic + 1 + Math.floor(random() * 5)) % topics : topic;
  return `t${near.toString(36)}x${Math.floor(wordsPerTopic * random() ** 2).toString(36)}`;
}

function question(number: number): string {
  const random = randomFrom(1_000 + number);
  const topic = Math.floor(random() * topics);
  return Array.from({ length: 4 + (number % 5) }, () => word(random, topic)).join(' ');
}

/**
 * Imitates an embedding model: the vector of a word combines a random direction with that of its topic, and the
 * vector of a text is the mean of those of its words. As with real models, texts form overlapping clusters and share a
 * common component.
 */
function createPseudoEmbedder(): Embedder {
  const known = new Map<string, Float32Array>();
  const direction = (name: string): Float32Array => {
    const random = randomFrom(hashOf(name));
    // The sum of three uniform random numbers is close enough to normally distributed.
    return Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
  };
  const vectorOf = (name: string): Float32Array => {
    const old = known.get(name);
    if (old !== undefined) return old;
    const topic = direction(/^t[0-9a-z]+x/.exec(name)?.[0] ?? 'common');
    const vector = direction(name).map((number, place) => 0.7 * number + 0.7 * topic[place]!);
    known.set(name, vector);
    return vector;
  };
  const embed = (text: string): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const name of text.match(/[a-z0-9]+/g) ?? []) {
      const vector = vectorOf(name);
      for (let place = 0; place < dimensions; place += 1) sum[place]! += vector[place]!;
    }
    const length = Math.hypot(...sum) || 1;
    return sum.map((number) => number / length);
  };
  return {
    fingerprint: 'pseudo',
    contextTokens: 2_048,
    dimensions: async () => dimensions,
    embed: async (texts) => texts.map(embed),
    close: async () => undefined,
  };
}

/** Reads the tables directly and compares every vector with every question at full precision. */
async function recallOf(
  index: ChunkIndex,
  file: string,
  vectors: readonly Float32Array[],
  fingerprint: string,
): Promise<number> {
  const found = await Promise.all(
    vectors.map((vector) => index.vectors(fingerprint).nearest(vector, everything, 10)),
  );
  const database = new Database(file, { readonly: true });
  const table = tableIn(database);
  const rows = database.prepare(
    `select d.id, w.vectors from ${table} v join ${table}_whole w on w.id = v.id join documents d on d.hash = v.hash`,
  );
  const mean = new Float64Array(dimensions);
  const best = vectors.map(() => [] as { id: number; similarity: number }[]);
  for (const { vectors: bytes } of rows.iterate() as Iterable<{ vectors: Buffer }>)
    for (const [place, number] of numbersIn(bytes).entries()) mean[place % dimensions]! += number;
  const count = countWindows(file).count;
  const asked = vectors.map((vector) => vector.map((number, place) => number - (0.5 * mean[place]!) / count));
  for (const { id, vectors: bytes } of rows.iterate() as Iterable<{ id: number; vectors: Buffer }>) {
    const numbers = new Float32Array(numbersIn(bytes));
    for (const [place, vector] of asked.entries()) {
      const list = best[place]!;
      const similarity = maxSimilarity(vector, numbers);
      if (list.length === 10 && similarity <= list[9]!.similarity) continue;
      best[place] = [...list, { id, similarity }]
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
    }
  }
  database.close();
  const shares = best.map(
    (list, place) => list.filter(({ id }) => found[place]!.some(({ chunk }) => chunk.id === id)).length / 10,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function maxSimilarity(vector: Float32Array, numbers: Float32Array): number {
  let best = -Infinity;
  for (let start = 0; start < numbers.length; start += dimensions) {
    let similarity = 0;
    for (let place = 0; place < dimensions; place += 1)
      similarity += vector[place]! * numbers[start + place]!;
    best = Math.max(best, similarity);
  }
  return best;
}

function numbersIn(bytes: Buffer): Float16Array {
  return new Float16Array(new Uint8Array(bytes).buffer);
}

function countWindows(file: string): { count: number; bytes: number } {
  const database = new Database(file, { readonly: true });
  const table = tableIn(database);
  const count = Number(database.prepare(`select sum(windows) from ${table}`).pluck().get());
  const bytes = Number(
    database
      .prepare(
        `select (select sum(length(codes) + 80) from ${table}) + (select sum(length(vectors)) from ${table}_whole)`,
      )
      .pluck()
      .get(),
  );
  database.close();
  return { count, bytes };
}

function tableIn(database: Database.Database): string {
  const name = database
    .prepare(`select name from sqlite_master where name glob 'keepsake_vectors_*_whole'`)
    .pluck()
    .get();
  return String(name).replace(/_whole$/, '');
}

function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  return hash >>> 0;
}
