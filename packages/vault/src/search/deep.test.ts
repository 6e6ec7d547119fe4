import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createRemoteEmbedder, createRemoteExpander, createRemoteReranker } from '../models/index.ts';
import { usualLayout } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { deepRetrieval } from './deep.ts';
import type { SearchModels } from './deep.ts';
import { embedMissing } from './embed-missing.ts';
import { openSectionIndex } from './qmd/open-index.ts';
import { UnusableIndex } from './qmd/unusable-index.ts';
import type { SectionIndex } from './section-index.ts';
import { sectionsOf } from './sections.ts';

const everything = { isInScope: null, from: null, to: null };
/** So long that nothing is late by chance. */
const patient = { expansion: 60_000, embedding: 60_000, rerank: 60_000 };
const impatient = { expansion: 200, embedding: 200, rerank: 200 };
const notes = {
  'boiler.md': '# Boiler\nserviced each October\n',
  'garden.md': '# Garden\ntomatoes need water\n',
  'heating.md': '# Heating\nradiators are cold\n',
};

let server: ScriptedModels;
let index: SectionIndex;

beforeEach(async () => {
  server = await startScriptedModels();
  index = await openSectionIndex(':memory:');
  for (const [name, text] of Object.entries(notes)) {
    const path = `vault/${name}` as VaultPath;
    const file = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    index.put(path, file, sectionsOf(path, text, usualLayout));
  }
});
afterEach(async () => {
  index.close();
  await server.close();
});

const models = (more: Partial<SearchModels> = {}): SearchModels => ({
  embedder: createRemoteEmbedder({ baseUrl: server.baseUrl, model: 'e' }),
  withoutEmbedder: 'none is chosen',
  isExcluded: null,
  expander: null,
  reranker: null,
  ...more,
});

async function ask(query: string, chosen: SearchModels, deadlines = patient) {
  const retrieve = deepRetrieval(index, () => chosen, deadlines);
  const { ranked, stages, degraded } = await retrieve([query], everything);
  return { paths: ranked.map(({ item }) => item.path.slice(6)), stages, degraded };
}

describe('deep search', () => {
  it('adds what is near in meaning to what has the words', async () => {
    const chosen = models();
    await embedMissing(index, chosen.embedder!);
    const { paths, stages, degraded } = await ask('boiler radiators', chosen);
    expect(paths.slice(0, 2).toSorted()).toEqual(['boiler.md', 'heating.md']);
    expect(paths).toContain('garden.md');
    expect(stages).toEqual(['lexical', 'vector']);
    expect(degraded).toEqual([]);
  });

  it('asks for other words, and reads the best results once more, where there are models for it', async () => {
    const chosen = models({
      expander: createRemoteExpander({ baseUrl: server.baseUrl, model: 'x' }),
      reranker: createRemoteReranker({ baseUrl: server.baseUrl, model: 'r' }),
    });
    await embedMissing(index, chosen.embedder!);
    server.script('/chat/completions', {
      do: 'say',
      text: 'lex: boiler serviced\nvec: when is the boiler looked after',
    });
    const { paths, stages } = await ask('yearly maintenance', chosen);
    expect(paths[0]).toBe('boiler.md');
    expect(stages).toEqual(['lexical', 'expansion', 'vector', 'rerank']);
  });

  it('of a long section tells the lines that are near in meaning, by themselves', async () => {
    const path = 'vault/journal.md' as VaultPath;
    const file = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    const filler = Array.from(
      { length: 20 },
      (_, day) => `day ${day} nothing else to tell ${'of it '.repeat(10)}`,
    );
    const told = 'the neighbour lent us a ladder for the gutters';
    const lines = [...filler, ...Array.from({ length: 8 }, () => told), ...filler];
    index.put(path, file, sectionsOf(path, lines.join('\n'), usualLayout));
    const chosen = models({ expander: createRemoteExpander({ baseUrl: server.baseUrl, model: 'x' }) });
    await embedMissing(index, chosen.embedder!);
    server.script('/chat/completions', {
      do: 'say',
      text: `vec: ${told}`,
    });
    const retrieve = deepRetrieval(index, () => chosen, patient);
    const { ranked } = await retrieve(['climbing aid'], everything);
    const [best] = ranked;
    expect(best?.item.path).toBe(path);
    const near = best?.lineScores.flatMap(({ own }, line) => (own > 0 ? [line] : [])) ?? [];
    expect(near).toContain(24);
    expect(near.length).toBeLessThan(12);
    expect(best?.lineScores[24]).toEqual({ own: 1, near: 1 });
  });

  it('never embeds a section twice', async () => {
    const { embedder } = models();
    expect(await embedMissing(index, embedder!)).toBe(3);
    expect(await embedMissing(index, embedder!)).toBe(0);
  });

  it('shows no model a file that is kept from models, and finds it by its words all the same', async () => {
    const chosen = models({
      reranker: createRemoteReranker({ baseUrl: server.baseUrl, model: 'r' }),
      isExcluded: (path) => path === 'vault/boiler.md',
    });
    expect(await embedMissing(index, chosen.embedder!, { isExcluded: chosen.isExcluded })).toBe(2);
    const { paths, degraded } = await ask('boiler', chosen);
    expect(paths[0]).toBe('boiler.md');
    expect(degraded).toEqual([]);
    const sent = JSON.stringify(server.requests.map(({ body }) => body));
    expect(sent).toContain('heating');
    expect(sent).not.toContain('serviced');
  });

  it('without any model finds what a fast search finds, and says so', async () => {
    const { paths, stages, degraded } = await ask('boiler', models({ embedder: null }));
    expect(paths).toEqual(['boiler.md']);
    expect(stages).toEqual(['lexical']);
    expect(degraded).toEqual(['only words were compared: none is chosen']);
  });

  it('does not pretend to have compared vectors that are not there', async () => {
    const { paths, stages, degraded } = await ask('boiler', models());
    expect(paths).toEqual(['boiler.md']);
    expect(stages).toEqual(['lexical']);
    expect(degraded.join()).toContain('keepsake index');
  });
});

it('an index that says what cannot be is not done without, so that it is made anew', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const kept = await openSectionIndex(file);
  onTestFinished(() => kept.close());
  const path = 'vault/boiler.md' as VaultPath;
  const known = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
  kept.put(path, known, sectionsOf(path, notes['boiler.md'], usualLayout));
  const chosen = models();
  await embedMissing(kept, chosen.embedder!);
  const database = new Database(file);
  const table = database
    .prepare(
      `select name from sqlite_master where name glob 'keepsake_vectors_*' and sql like '%codes blob%'`,
    )
    .pluck()
    .get();
  database.exec(`update ${String(table)} set codes = x'0102'`);
  database.close();
  await expect(deepRetrieval(kept, () => chosen, patient)(['boiler'], everything)).rejects.toThrow(
    UnusableIndex,
  );
});

describe('every stage may fail, and the answer still comes', () => {
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
    await embedMissing(index, chosen.embedder!);
    server.requests.length = 0;
    return chosen;
  };

  it.each(cases)(
    'the stage $stage, with $name, and the server is asked only once',
    async ({ step, path, stage }) => {
      const chosen = await allModels();
      server.script(`/${path}`, ...Array.from({ length: 20 }, () => step));
      const answer = await ask('boiler', chosen);
      expect(answer.paths[0]).toBe('boiler.md');
      expect(answer.stages).not.toContain(stage);
      expect(answer.degraded.join()).toContain(`${stage} was left out`);
      expect(server.requests.filter((request) => request.path.endsWith(path))).toHaveLength(1);
    },
  );

  it.each(Object.entries(stages).map(([path, stage]) => ({ path, stage })))(
    'the stage $stage, with a server that never answers, which is left at the deadline',
    async ({ path, stage }) => {
      const chosen = await allModels();
      server.script(`/${path}`, ...Array.from({ length: 20 }, () => ({ do: 'hang' }) as const));
      const answer = await ask('boiler', chosen, impatient);
      expect(answer.paths[0]).toBe('boiler.md');
      expect(answer.stages).not.toContain(stage);
      expect(answer.degraded.join()).toContain(`${stage} was left out: took more than 0.2 s`);
    },
  );

  it('the stage vector, with a host that is not there', async () => {
    const chosen = models();
    await embedMissing(index, chosen.embedder!);
    const nobody = createRemoteEmbedder({ baseUrl: 'http://127.0.0.1:1/v1', model: 'e' });
    const embedder = { ...chosen.embedder!, embed: nobody.embed.bind(nobody) };
    const answer = await ask('boiler', models({ embedder }));
    expect(answer.paths[0]).toBe('boiler.md');
    expect(answer.degraded.join()).toContain('vector was left out');
  });
});
