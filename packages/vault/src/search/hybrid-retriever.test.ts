import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createRemoteEmbedder, createRemoteExpander, createRemoteReranker } from '../models/index.ts';
import type { Embedder } from '../models/index.ts';
import { defaultLayout } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { createHybridRetriever } from './hybrid-retriever.ts';
import { toRetrievalQuery } from './lexical-retriever.ts';
import type { SearchModels } from './hybrid-retriever.ts';
import { embedMissingChunks } from './embed-chunks.ts';
import { openChunkIndex } from './qmd/open-index.ts';
import { CorruptIndexError } from './qmd/index-error.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { chunkFile } from './chunker.ts';

const everything = { isInScope: null, from: null, to: null };
/** Long enough that no stage times out by chance. */
const patient = { expansion: 60_000, embedding: 60_000, rerank: 60_000 };
const impatient = { expansion: 200, embedding: 200, rerank: 200 };
const notes = {
  'boiler.md': '# Boiler\nserviced each October\n',
  'garden.md': '# Garden\ntomatoes need water\n',
  'heating.md': '# Heating\nradiators are cold\n',
};

let server: ScriptedModels;
let index: ChunkIndex;

beforeEach(async () => {
  server = await startScriptedModels();
  index = await openChunkIndex(':memory:');
  for (const [name, text] of Object.entries(notes)) {
    const path = `vault/${name}` as VaultPath;
    const file = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    index.upsertFile(path, file, chunkFile(path, text, defaultLayout));
  }
});
afterEach(async () => {
  index.close();
  await server.close();
});

const models = (more: Partial<SearchModels> = {}): SearchModels => ({
  embedder: createRemoteEmbedder({ baseUrl: server.baseUrl, model: 'e' }),
  embedderUnavailableReason: 'none is chosen',
  isExcluded: null,
  expander: null,
  reranker: null,
  ...more,
});

async function ask(query: string, chosen: SearchModels, deadlines = patient) {
  const retrieve = createHybridRetriever(index, () => chosen, deadlines);
  const { ranked, stages, degraded } = await retrieve([toRetrievalQuery(query, everything, index)]);
  return { paths: ranked.map(({ item }) => item.path.slice(6)), stages, degraded };
}

describe('deep search', () => {
  it('adds semantic matches to keyword matches', async () => {
    const chosen = models();
    await embedMissingChunks(index, chosen.embedder!);
    const { paths, stages, degraded } = await ask('boiler radiators', chosen);
    expect(paths.slice(0, 2).toSorted()).toEqual(['boiler.md', 'heating.md']);
    expect(paths).toContain('garden.md');
    expect(stages).toEqual(['lexical', 'vector']);
    expect(degraded).toEqual([]);
  });

  it('expands queries and reranks the best results if the models are available', async () => {
    const chosen = models({
      expander: createRemoteExpander({ baseUrl: server.baseUrl, model: 'x' }),
      reranker: createRemoteReranker({ baseUrl: server.baseUrl, model: 'r' }),
    });
    await embedMissingChunks(index, chosen.embedder!);
    server.script('/chat/completions', {
      do: 'say',
      text: 'lex: boiler serviced\nvec: when is the boiler looked after',
    });
    const { paths, stages } = await ask('yearly maintenance', chosen);
    expect(paths[0]).toBe('boiler.md');
    expect(stages).toEqual(['lexical', 'expansion', 'vector', 'rerank']);
  });

  it('scores the lines of the semantically similar window of a long chunk', async () => {
    const path = 'vault/journal.md' as VaultPath;
    const file = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    const filler = Array.from(
      { length: 20 },
      (_, day) => `day ${day} nothing else to tell ${'of it '.repeat(10)}`,
    );
    const told = 'the neighbour lent us a ladder for the gutters';
    const lines = [...filler, ...Array.from({ length: 8 }, () => told), ...filler];
    index.upsertFile(path, file, chunkFile(path, lines.join('\n'), defaultLayout));
    const chosen = models({ expander: createRemoteExpander({ baseUrl: server.baseUrl, model: 'x' }) });
    await embedMissingChunks(index, chosen.embedder!);
    server.script('/chat/completions', {
      do: 'say',
      text: `vec: ${told}`,
    });
    const retrieve = createHybridRetriever(index, () => chosen, patient);
    const { ranked } = await retrieve([toRetrievalQuery('climbing aid', everything, index)]);
    const [best] = ranked;
    expect(best?.item.path).toBe(path);
    const near = best?.lineScores.flatMap(({ direct }, line) => (direct > 0 ? [line] : [])) ?? [];
    expect(near).toContain(24);
    expect(near.length).toBeLessThan(12);
    expect(best?.lineScores[24]).toEqual({ direct: 1, withNeighbors: 1 });
  });

  it.for([
    { query: 'boiler serviced october', first: 'boiler.md' },
    { query: 'serviced vegetables thirsty drought summer', first: 'garden.md' },
  ])('ranks by words unless their best match is poor: $query', async ({ query, first }) => {
    const embedder: Embedder = {
      fingerprint: 'prefers the garden',
      contextTokens: 512,
      dimensions: async () => 2,
      embed: async (texts) =>
        texts.map((text) => Float32Array.from(text === query || text.includes('tomatoes') ? [1, 0] : [0, 1])),
      close: async () => undefined,
    };
    const chosen = models({ embedder });
    await embedMissingChunks(index, embedder);
    expect((await ask(query, chosen)).paths[0]).toBe(first);
  });

  it('never embeds a chunk twice', async () => {
    const { embedder } = models();
    expect(await embedMissingChunks(index, embedder!)).toBe(3);
    expect(await embedMissingChunks(index, embedder!)).toBe(0);
  });

  it('hides excluded files from models and still finds them by keywords', async () => {
    const chosen = models({
      reranker: createRemoteReranker({ baseUrl: server.baseUrl, model: 'r' }),
      isExcluded: (path) => path === 'vault/boiler.md',
    });
    expect(await embedMissingChunks(index, chosen.embedder!, { isExcluded: chosen.isExcluded })).toBe(2);
    const { paths, degraded } = await ask('boiler', chosen);
    expect(paths[0]).toBe('boiler.md');
    expect(degraded).toEqual([]);
    const sent = JSON.stringify(server.requests.map(({ body }) => body));
    expect(sent).toContain('heating');
    expect(sent).not.toContain('serviced');
  });

  it('falls back to keyword results without models, with a warning', async () => {
    const { paths, stages, degraded } = await ask('boiler', models({ embedder: null }));
    expect(paths).toEqual(['boiler.md']);
    expect(stages).toEqual(['lexical']);
    expect(degraded).toEqual(['keyword matches only: none is chosen']);
  });

  it('warns if no vectors exist yet', async () => {
    const { paths, stages, degraded } = await ask('boiler', models());
    expect(paths).toEqual(['boiler.md']);
    expect(stages).toEqual(['lexical']);
    expect(degraded.join()).toContain('keepsake index');
  });
});

it('deep search throws an error if the index is damaged, instead of skipping the vector stage', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const kept = await openChunkIndex(file);
  onTestFinished(() => kept.close());
  const path = 'vault/boiler.md' as VaultPath;
  const known = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
  kept.upsertFile(path, known, chunkFile(path, notes['boiler.md'], defaultLayout));
  const chosen = models();
  await embedMissingChunks(kept, chosen.embedder!);
  const database = new Database(file);
  const table = database
    .prepare(
      `select name from sqlite_master where name glob 'keepsake_vectors_*' and sql like '%codes blob%'`,
    )
    .pluck()
    .get();
  database.exec(`update ${String(table)} set codes = x'0102'`);
  database.close();
  const query = toRetrievalQuery('boiler', everything, kept);
  await expect(createHybridRetriever(kept, () => chosen, patient)([query])).rejects.toThrow(
    CorruptIndexError,
  );
});

describe('deep search with a failing stage', () => {
  const failures = {
    'a server that fails': { do: 'status', status: 500 },
    'a server that refuses': { do: 'status', status: 401 },
    garbage: { do: 'send', body: 'this is no JSON' },
    'an answer that breaks off': { do: 'cut', after: 10 },
  } as const;
  const stages = { embeddings: 'vector', 'chat/completions': 'expansion', rerank: 'rerank' } as const;
  const cases = Object.entries(failures).flatMap(([name, step]) =>
    Object.entries(stages).map(([path, stage]) => ({ name, step, path, stage })),
  );

  const allModels = async (): Promise<SearchModels> => {
    const chosen = models({
      expander: createRemoteExpander({ baseUrl: server.baseUrl, model: 'x' }),
      reranker: createRemoteReranker({ baseUrl: server.baseUrl, model: 'r' }),
    });
    await embedMissingChunks(index, chosen.embedder!);
    server.requests.length = 0;
    return chosen;
  };

  it.each(cases)(
    'skips the $stage stage after a single failed request: $name',
    async ({ step, path, stage }) => {
      const chosen = await allModels();
      server.script(`/${path}`, ...Array.from({ length: 20 }, () => step));
      const answer = await ask('boiler', chosen);
      expect(answer.paths[0]).toBe('boiler.md');
      expect(answer.stages).not.toContain(stage);
      expect(answer.degraded.join()).toContain(`${stage} skipped`);
      expect(server.requests.filter((request) => request.path.endsWith(path))).toHaveLength(1);
    },
  );

  it.each(Object.entries(stages).map(([path, stage]) => ({ path, stage })))(
    'skips the $stage stage when the server does not answer before the deadline',
    async ({ path, stage }) => {
      const chosen = await allModels();
      server.script(`/${path}`, ...Array.from({ length: 20 }, () => ({ do: 'hang' }) as const));
      const answer = await ask('boiler', chosen, impatient);
      expect(answer.paths[0]).toBe('boiler.md');
      expect(answer.stages).not.toContain(stage);
      expect(answer.degraded.join()).toContain(`${stage} skipped: timed out after 0.2 s`);
    },
  );

  it('skips the vector stage when the host does not exist', async () => {
    const chosen = models();
    await embedMissingChunks(index, chosen.embedder!);
    const unreachable = createRemoteEmbedder({ baseUrl: 'http://127.0.0.1:1/v1', model: 'e' });
    const embedder = { ...chosen.embedder!, embed: unreachable.embed.bind(unreachable) };
    const answer = await ask('boiler', models({ embedder }));
    expect(answer.paths[0]).toBe('boiler.md');
    expect(answer.degraded.join()).toContain('vector skipped');
  });
});
