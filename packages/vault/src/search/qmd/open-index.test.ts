import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLayout } from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';
import { parseQuery } from '../query.ts';
import type { IndexedFile, ChunkIndex } from '../chunk-index.ts';
import { chunkFile } from '../chunker.ts';
import { openChunkIndex } from './open-index.ts';
import { CorruptIndexError } from './index-error.ts';

const at = (path: string): VaultPath => `vault/${path}` as VaultPath;
const everything = { isInScope: null, from: null, to: null };

let folder: string;
let file: string;
let index: ChunkIndex;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-index-'));
  file = join(folder, 'index.sqlite');
  index = await openChunkIndex(file);
});
afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true, force: true });
});

function put(
  path: string,
  text: string,
  more: Partial<IndexedFile> = {},
): { added: number; removed: number } {
  const known = {
    revision: 'r' as Revision,
    size: 1,
    mtime: 1,
    ctime: 1,
    updated: '2025-01-01T00:00:00',
    ...more,
  };
  return index.upsertFile(at(path), known, chunkFile(at(path), text, defaultLayout));
}
const found = (query: string, filter = everything as Parameters<ChunkIndex['searchTerms']>[1]): string[] =>
  index
    .searchTerms(parseQuery(query), filter, 10)
    .map(({ path, lines }) => `${path.slice(6)}:${lines.start}`);
/** Inspects the tables directly, as the next version of QMD would find them. */
function look<Value>(work: (database: Database.Database) => Value): Value {
  const database = new Database(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
const count = (table: string): unknown =>
  look((database) => database.prepare(`select count(*) from ${table}`).pluck().get());

describe('the QMD schema', () => {
  it('has the tables, columns and triggers that the index relies on', () => {
    const columns = (table: string): unknown[] =>
      look((database) => database.prepare(`select name from pragma_table_info(?)`).pluck().all(table));
    expect(columns('content')).toEqual(['hash', 'doc', 'created_at']);
    expect(columns('documents')).toEqual([
      'id',
      'collection',
      'path',
      'title',
      'hash',
      'created_at',
      'modified_at',
      'active',
    ]);
    expect(columns('documents_fts')).toEqual(['filepath', 'title', 'body']);
    const sql = look((database) =>
      database.prepare(`select sql from sqlite_master where name = 'documents_fts'`).pluck().get(),
    );
    expect(String(sql)).toMatch(/tokenize = 'porter unicode61 remove_diacritics 2'/);
    const triggers = look((database) =>
      database.prepare(`select name from sqlite_master where type = 'trigger' order by name`).pluck().all(),
    );
    expect(triggers).toEqual(['documents_ad', 'documents_ai', 'documents_au']);
  });

  it('leaves the version that QMD sets in user_version unchanged', () => {
    expect(look((database) => database.pragma('user_version', { simple: true }))).toBe(1);
  });
});

describe('the index', () => {
  const day = (number: number): string => `# 2025-07-${10 + number}\n\n## Entry\nword${number} text\n\n`;

  it('writes only changed chunks: a new entry at the top of a long changelog adds one chunk', () => {
    const text = Array.from({ length: 15 }, (_, number) => day(15 - number)).join('');
    expect(put('changelog.md', text)).toEqual({ added: 15, removed: 0 });
    expect(put('changelog.md', day(16) + text)).toEqual({ added: 1, removed: 0 });
    expect(found('word3')).toEqual([`changelog.md:${1 + 13 * 5}`]);
  });

  it('deletes the documents and the content of deleted files', () => {
    put('a.md', '# A\nalpha\n');
    put('b.md', '# B\nbeta\n');
    put('a.md', '# A\nother\n');
    index.remove(at('b.md'));
    expect(found('alpha')).toEqual([]);
    expect(found('beta')).toEqual([]);
    expect(count('documents')).toBe(1);
    expect(count('content')).toBe(1);
    expect(count('documents_fts')).toBe(1);
    expect(count('keepsake_sections')).toBe(1);
    expect([...index.files().keys()]).toEqual([at('a.md')]);
  });

  it('keeps content that another chunk shares', () => {
    put('tasks.md', '# Same\nalpha\n\n# Same\nalpha\n');
    expect(found('alpha')).toEqual(['tasks.md:1', 'tasks.md:4']);
    put('tasks.md', '# Same\nalpha\n');
    expect(found('alpha')).toEqual(['tasks.md:1']);
  });

  it('does not search file paths, which all contain md', () => {
    put('a.md', 'alpha\n');
    expect(found('md')).toEqual([]);
    expect(found('vault')).toEqual([]);
  });

  it('finds text in scripts without spaces', () => {
    put('cn.md', '# 会议\n今天讨论预算和时间表\n');
    expect(found('预算')).toEqual(['cn.md:1']);
  });

  it.each([
    '한국어',
    'горячий',
    'ещё',
    'καλημέρα',
    'हिन्दी',
    'đường',
    'ที่นี่',
    'مُحَمَّد',
    'Straße',
    'œuvre',
    'naïve',
  ])('finds %s as written', (word) => {
    put('other.md', 'nothing of it\n');
    put('script.md', `# Note\nbefore ${word} after\n`);
    expect(found(word)).toEqual(['script.md:1']);
  });

  it('does not restore a file that another process removed', async () => {
    put('a.md', 'alpha\n');
    const other = await openChunkIndex(file);
    other.remove(at('a.md'));
    other.close();
    index.touchFile(at('a.md'), { revision: 'r' as Revision, size: 1, mtime: 2, ctime: 2, updated: '' });
    expect(index.files().size).toBe(0);
  });

  it('shows its changes to another process immediately', async () => {
    const other = await openChunkIndex(file);
    put('a.md', '# A\nalpha\n');
    expect([...other.files().keys()]).toEqual([at('a.md')]);
    const scope = { ...everything, isInScope: (path: VaultPath) => path === at('a.md') };
    expect(other.searchTerms(parseQuery('alpha'), scope, 10)).toHaveLength(1);
    other.close();
  });
});

describe('keyword search', () => {
  beforeEach(() => {
    put(
      'projects/x/changelog.md',
      '# 2025-07-14\n\n## [décision] Drop the external API\nToo slow.\n\n# 2025-06-01\n\n## API started\nok\n',
    );
    put('bucket/api.md', '# The API\nThe external API of the provider is fast.\n', {
      updated: '2025-03-01T10:00:00',
    });
  });

  it('matches any of the terms', () => {
    expect(found('api gateway').toSorted()).toEqual([
      'bucket/api.md:1',
      'projects/x/changelog.md:1',
      'projects/x/changelog.md:6',
    ]);
  });

  it('applies phrases and exclusions', () => {
    expect(found('"external api" -provider')).toEqual(['projects/x/changelog.md:1']);
  });

  it('accepts any number of exclusions', () => {
    expect(found(`api ${'-no '.repeat(300)}-provider`)).not.toContain('bucket/api.md:1');
  });

  it('searches for the individual words of a phrase that does not occur', () => {
    expect(found('"provider of the universe"')).toEqual(['bucket/api.md:1']);
  });

  it('respects the scope, even a small one in a large index', () => {
    for (let number = 0; number < 200; number += 1) put(`notes/${number}.md`, `api api api ${number}\n`);
    const scope = { ...everything, isInScope: (path: VaultPath) => path.startsWith(at('bucket/')) };
    expect(found('api', scope)).toEqual(['bucket/api.md:1']);
  });

  it('filters by date: by the day of a changelog entry, or by the last change of any other file', () => {
    expect(found('api', { ...everything, from: '2025-07-01' })).toEqual(['projects/x/changelog.md:1']);
    expect(found('api', { ...everything, to: '2025-04-01' })).toEqual(['bucket/api.md:1']);
    expect(found('api', { ...everything, from: '2025-06-01', to: '2025-06-01' })).toEqual([
      'projects/x/changelog.md:6',
    ]);
  });

  it('counts the chunks that contain a word', () => {
    expect(index.documentFrequency('api')).toBe(3);
    expect(index.documentFrequency('provider')).toBe(1);
    expect(index.documentFrequency('nowhere')).toBe(0);
  });
});

describe('vectors', () => {
  const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

  it('find the nearest chunk within a scope and are kept when a chunk moves', async () => {
    put('tasks.md', '# One\nalpha\n\n# Two\nbeta\n');
    const table = index.vectors('model-a');
    for (const { hash, text } of table.chunksWithoutVectors(10))
      table.put(hash, [text.includes('alpha') ? vector(1, 0) : vector(0, 1)]);
    expect(table.countWithoutVectors()).toBe(0);
    const near = await table.nearest(vector(0.9, 0.1), everything, 5);
    expect(near.map(({ chunk }) => chunk.lines.start)).toEqual([1, 4]);
    expect(near[0]?.similarity).toBeGreaterThan(0.5);
    expect(near[1]?.similarity).toBeLessThan(0);
    put('tasks.md', '# Zero\nnew\n\n# One\nalpha\n\n# Two\nbeta\n');
    expect(table.chunksWithoutVectors(10).map(({ text }) => text)).toEqual([expect.stringContaining('Zero')]);
    expect(await table.nearest(vector(1, 0), { ...everything, isInScope: () => false }, 5)).toEqual([]);
  });

  /** Embeds all chunks without vectors, depending on their text. */
  const embed = (of: ChunkIndex, vectorOf: (text: string) => Float32Array): void => {
    const table = of.vectors('model-a');
    for (const { hash, text } of table.chunksWithoutVectors(100_000)) table.put(hash, [vectorOf(text)]);
  };
  const byWord = (text: string): Float32Array => (text.includes('alpha') ? vector(1, 0) : vector(0, 1));
  const nearestOf = async (of: ChunkIndex, filter = everything as Parameters<ChunkIndex['searchTerms']>[1]) =>
    (await of.vectors('model-a').nearest(vector(1, 0), filter, 1)).map(({ chunk }) => chunk.path.slice(6));

  it('are created for the oldest chunks first, and never for excluded files', () => {
    for (const name of ['b.md', 'a.md', 'c.md']) put(name, `${name}\n`);
    const table = index.vectors('model-a');
    const missing = (isExcluded: (path: VaultPath) => boolean) =>
      table.chunksWithoutVectors(10, isExcluded).map(({ text }) => text.split('\n')[1]);
    expect(missing(() => false)).toEqual(['b.md', 'a.md', 'c.md']);
    const isExcluded = (path: VaultPath): boolean => path === at('a.md');
    expect(missing(isExcluded)).toEqual(['b.md', 'c.md']);
    expect([table.countVisible(isExcluded), table.countWithoutVectors(isExcluded)]).toEqual([2, 2]);
    expect([table.countVisible(), table.countWithoutVectors()]).toEqual([3, 3]);
  });

  it('identify the most similar window of a chunk', async () => {
    put('a.md', 'alpha\n');
    const table = index.vectors('model-a');
    table.put(table.chunksWithoutVectors(1)[0]?.hash ?? '', [vector(0, 1), vector(0.8, 0.6), vector(1, 0)]);
    expect(await table.nearest(vector(0.8, 0.6), everything, 1)).toMatchObject([{ window: 1 }]);
  });

  it('reflect writes, moves and deletions by this process and by another one', async () => {
    put('a.md', 'alpha\n');
    put('b.md', 'beta\n');
    embed(index, byWord);
    expect(await nearestOf(index)).toEqual(['a.md']);
    index.remove(at('a.md'));
    expect(await nearestOf(index)).toEqual(['b.md']);
    const other = await openChunkIndex(file);
    other.upsertFile(
      at('c.md'),
      { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '' },
      chunkFile(at('c.md'), 'alpha again\n', defaultLayout),
    );
    expect(await nearestOf(index)).toEqual(['b.md']);
    embed(other, byWord);
    expect(await nearestOf(index)).toEqual(['c.md']);
    other.close();
    // The same content again needs no embedding and is still found.
    put('d.md', 'beta\n');
    put('folder/b.md', 'beta\n');
    index.remove(at('b.md'));
    index.remove(at('c.md'));
    embed(index, byWord);
    expect(
      await nearestOf(index, { ...everything, isInScope: (path) => path === at('folder/b.md') }),
    ).toEqual(['folder/b.md']);
  });

  it('are filtered by date: by the day of a changelog entry, or by the last change of any other file', async () => {
    put('changelog.md', '# 2025-07-14\n\nalpha\n\n# 2025-06-01\n\nalpha, too\n');
    put('note.md', 'alpha as well\n', { updated: '2025-03-01T10:00:00' });
    embed(index, byWord);
    const datesOf = async (filter: object) =>
      (await index.vectors('model-a').nearest(vector(1, 0), { ...everything, ...filter }, 9)).map(
        ({ chunk }) => `${chunk.path.slice(6)}:${chunk.lines.start}`,
      );
    expect(await datesOf({ from: '2025-07-01' })).toEqual(['changelog.md:1']);
    expect(await datesOf({ to: '2025-04-01' })).toEqual(['note.md:1']);
    expect(await datesOf({ from: '2025-06-01', to: '2025-06-30' })).toEqual(['changelog.md:5']);
  });

  it('are pruned on request, but only those of deleted chunks', async () => {
    for (const name of ['a.md', 'b.md', 'c.md']) put(name, `${name}\n`);
    embed(index, byWord);
    index.remove(at('b.md'));
    expect(await index.vectors('model-a').pruneOrphans()).toBe(1);
    expect(await index.vectors('model-a').pruneOrphans()).toBe(0);
    put('b.md', 'b.md\n');
    expect(
      index
        .vectors('model-a')
        .chunksWithoutVectors(9)
        .map(({ text }) => text),
    ).toEqual(['b\nb.md\n'.trim()]);
  });

  it('return nearly the same results as a full comparison of thousands, even after most are deleted', async () => {
    let seed = 7;
    const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
    const direction = (): number[] => Array.from({ length: 128 }, random);
    const topics = Array.from({ length: 40 }, direction);
    const of = (topic: number): Float32Array => {
      const noise = direction();
      const numbers = topics[topic]!.map((number, place) => number + 1.2 * noise[place]!);
      const length = Math.hypot(...numbers);
      return Float32Array.from(numbers, (number) => number / length);
    };
    const given = new Map<string, Float32Array>();
    index.transaction(() => {
      for (let number = 0; number < 4_000; number += 1) put(`${number}.md`, `note ${number}\n`);
    });
    embed(index, (text) => {
      const made = of(Number(text.match(/\d+/)?.[0]) % topics.length);
      given.set(/note \d+/.exec(text)?.[0] ?? '', made);
      return made;
    });
    const all = [...given.values()];
    const mean = all[0]!.map((_, place) => all.reduce((sum, each) => sum + each[place]!, 0) / all.length);
    const recall = async (): Promise<number> => {
      let hits = 0;
      for (let topic = 0; topic < topics.length; topic += 1) {
        const asked = of(topic);
        const similarity = (other: Float32Array): number =>
          other.reduce((sum, number, place) => sum + number * (asked[place]! - 0.5 * mean[place]!), 0);
        const exact = [...given]
          .map(([name, each]) => ({ name, near: similarity(each) }))
          .toSorted((a, b) => b.near - a.near)
          .slice(0, 10);
        const near = await index.vectors('model-a').nearest(asked, everything, 10);
        const names = new Set(near.map(({ chunk }) => chunk.body.trim()));
        hits += exact.filter(({ name }) => names.has(name)).length;
      }
      return hits / (10 * topics.length);
    };
    expect(await recall()).toBeGreaterThan(0.98);
    index.transaction(() => {
      for (let number = 0; number < 4_000; number += 1)
        if (number >= 1_000) {
          index.remove(at(`${number}.md`));
          given.delete(`note ${number}`);
        }
    });
    await index.vectors('model-a').pruneOrphans();
    expect(await recall()).toBeGreaterThan(0.98);
  });

  it('count as missing after another process has dropped them for another model', async () => {
    put('a.md', 'alpha\n');
    embed(index, byWord);
    expect(await nearestOf(index)).toEqual(['a.md']);
    const other = await openChunkIndex(file);
    other.vectors('model-b').dropOtherModels();
    other.close();
    expect(index.vectors('model-a').countWithoutVectors()).toBe(1);
    expect(await nearestOf(index)).toEqual([]);
  });

  it('cannot be searched with a query vector of another size', async () => {
    put('a.md', 'alpha\n');
    embed(index, byWord);
    const nearest = index.vectors('model-a').nearest(new Float32Array(100).fill(0.1), everything, 1);
    await expect(nearest).rejects.toThrow('keepsake index --rebuild');
  });

  it('of two models are kept apart, and those of other models are dropped on request', () => {
    put('a.md', 'alpha\n');
    const [old, next] = [index.vectors('old'), index.vectors('new')];
    old.put(old.chunksWithoutVectors(1)[0]?.hash ?? '', [vector(1, 0)]);
    expect(next.countWithoutVectors()).toBe(1);
    next.dropOtherModels();
    expect(index.vectors('old').countWithoutVectors()).toBe(1);
  });
});

describe('an unusable index', () => {
  it('is rejected if another version created it', async () => {
    index.close();
    look((database) => database.exec('update keepsake_index set version = 0'));
    await expect(openChunkIndex(file)).rejects.toThrow(CorruptIndexError);
    rmSync(file);
    index = await openChunkIndex(file);
  });

  it('is reported as damaged if it is not a database', async () => {
    index.close();
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, 'this is not a database, but it is long enough to be looked at as one'.repeat(100));
    await expect(openChunkIndex(file)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
    rmSync(file);
    index = await openChunkIndex(file);
  });
});

it('the index adds many chunks with equal content about as fast as different ones', () => {
  const most = 8_000;
  const [chunk] = chunkFile(at('a.md'), 'words\n', defaultLayout);
  if (chunk === undefined) throw new Error('there is one');
  const timeOf = (path: string, bodyOf: (number: number) => string): number => {
    const chunks = Array.from({ length: most }, (_, number) => ({ ...chunk, body: bodyOf(number) }));
    const known = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    const began = process.cpuUsage().user;
    expect(index.upsertFile(at(path), known, chunks).added).toBe(most);
    return process.cpuUsage().user - began;
  };
  timeOf('first.md', (number) => `first ${number}`);
  const different = timeOf('different.md', (number) => `words ${number}`);
  expect(timeOf('same.md', () => 'words') / different).toBeLessThan(3);
});

describe('writing a file in slices', () => {
  const known = { revision: 'r2' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
  /** 40 chunks, of which some are also in the other version. */
  const text = (word: string): string =>
    Array.from(
      { length: 40 },
      (_, day) => `# 2025-01-${day}\n${day % 3 === 0 ? 'kept' : word} ${day}\n`,
    ).join('');
  const chunksOf = (word: string) => chunkFile(at('changelog.md'), text(word), defaultLayout);
  const slices = (word: string) => index.upsertSlices(at('changelog.md'), known, chunksOf(word));
  const other = {
    isInScope: (path: string) => !index.incompleteFiles().has(path as VaultPath),
    from: null,
    to: null,
  };

  it('results in the same state as writing it at once, and hides the file until then', () => {
    put('changelog.md', text('old'));
    put('a.md', 'new words\n');
    const writing = slices('new');
    let steps = 0;
    for (let step = writing.next(); step.done !== true; step = writing.next()) {
      steps += 1;
      expect([...index.incompleteFiles()]).toEqual([at('changelog.md')]);
      expect(index.files().get(at('changelog.md'))).toMatchObject({ revision: 'incomplete', ctime: null });
      expect(found('new', other)).toEqual(['a.md:1']);
    }
    expect(steps).toBeGreaterThan(5);
    expect(index.incompleteFiles().size).toBe(0);
    expect(index.counts().sections).toBe(41);
    expect(found('old')).toEqual([]);
    expect(index.files().get(at('changelog.md'))).toMatchObject({ revision: 'r2', ctime: 1 });
    const again = index.upsertFile(at('changelog.md'), known, chunksOf('new'));
    expect(again).toEqual({ added: 0, removed: 0 });
  });

  it('is continued by another process after a crash, without writing chunks twice', async () => {
    put('changelog.md', text('old'));
    const writing = slices('new');
    for (let step = 0; step < 3; step += 1) writing.next();
    index.close();
    index = await openChunkIndex(file);
    expect([...index.incompleteFiles()]).toEqual([at('changelog.md')]);
    const added = [...slices('new')].reduce((sum, each) => sum + each, 0);
    expect(added).toBeLessThan(26);
    expect(index.upsertFile(at('changelog.md'), known, chunksOf('new'))).toEqual({ added: 0, removed: 0 });
  });

  it.each(['replaces', 'removes'])('yields to another process that %s the file meanwhile', async (change) => {
    put('changelog.md', text('old'));
    const writing = slices('new');
    for (let step = 0; step < 3; step += 1) writing.next();
    const second = await openChunkIndex(file);
    try {
      if (change === 'removes') second.remove(at('changelog.md'));
      else second.upsertFile(at('changelog.md'), { ...known, revision: 'r3' as Revision }, chunksOf('third'));
    } finally {
      second.close();
    }
    for (const _ of writing);
    const { sections } = index.counts();
    expect(sections).toBe(change === 'removes' ? 0 : 40);
    expect(index.incompleteFiles().size).toBe(0);
    expect(found('third')).toEqual([]);
    expect(count('documents')).toBe(sections);
  });
});
