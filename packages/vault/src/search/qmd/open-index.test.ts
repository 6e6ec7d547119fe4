import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usualLayout } from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';
import { parseQuery } from '../query.ts';
import type { IndexedFile, SectionIndex } from '../section-index.ts';
import { sectionsOf } from '../sections.ts';
import { openSectionIndex } from './open-index.ts';
import { UnusableIndex } from './unusable-index.ts';

const at = (path: string): VaultPath => `vault/${path}` as VaultPath;
const everything = { isInScope: null, from: null, to: null };

let folder: string;
let file: string;
let index: SectionIndex;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-index-'));
  file = join(folder, 'index.sqlite');
  index = await openSectionIndex(file);
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
  return index.put(at(path), known, sectionsOf(at(path), text, usualLayout));
}
const found = (query: string, filter = everything as Parameters<SectionIndex['lexical']>[1]): string[] =>
  index.lexical(parseQuery(query), filter, 10).map(({ path, lines }) => `${path.slice(6)}:${lines.start}`);
/** Looks at the tables from outside, as the next version of QMD would find them. */
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

describe('the schema of QMD that we rely on', () => {
  it('has these tables, columns and triggers', () => {
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
    expect(String(sql)).toMatch(/tokenize='porter unicode61'/);
    const triggers = look((database) =>
      database.prepare(`select name from sqlite_master where type = 'trigger' order by name`).pluck().all(),
    );
    expect(triggers).toEqual(['documents_ad', 'documents_ai', 'documents_au']);
  });

  it('keeps its own version in user_version, which we leave alone', () => {
    expect(look((database) => database.pragma('user_version', { simple: true }))).toBe(1);
  });
});

describe('indexing', () => {
  const day = (number: number): string => `# 2025-07-${10 + number}\n\n## Entry\nword${number} text\n\n`;

  it('touches only what changed: an entry on top of a long changelog is one section', () => {
    const text = Array.from({ length: 15 }, (_, number) => day(15 - number)).join('');
    expect(put('changelog.md', text)).toEqual({ added: 15, removed: 0 });
    expect(put('changelog.md', day(16) + text)).toEqual({ added: 1, removed: 0 });
    expect(found('word3')).toEqual([`changelog.md:${1 + 13 * 5}`]);
  });

  it('leaves nothing behind of what is gone, neither documents nor content', () => {
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

  it('keeps content that another file has, too', () => {
    put('tasks.md', '# Same\nalpha\n\n# Same\nalpha\n');
    expect(found('alpha')).toEqual(['tasks.md:1', 'tasks.md:4']);
    put('tasks.md', '# Same\nalpha\n');
    expect(found('alpha')).toEqual(['tasks.md:1']);
  });

  it('does not find files by their path: md is in all of them', () => {
    put('a.md', 'alpha\n');
    expect(found('md')).toEqual([]);
    expect(found('vault')).toEqual([]);
  });

  it('finds text without spaces between its words', () => {
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
  ])('finds %s as it is written', (word) => {
    put('other.md', 'nothing of it\n');
    put('script.md', `# Note\nbefore ${word} after\n`);
    expect(found(word)).toEqual(['script.md:1']);
  });

  it('does not bring a file back that another process removed', async () => {
    put('a.md', 'alpha\n');
    const other = await openSectionIndex(file);
    other.remove(at('a.md'));
    other.close();
    index.touch(at('a.md'), { revision: 'r' as Revision, size: 1, mtime: 2, ctime: 2, updated: '' });
    expect(index.files().size).toBe(0);
  });

  it('is seen by another process at once', async () => {
    const other = await openSectionIndex(file);
    put('a.md', '# A\nalpha\n');
    expect([...other.files().keys()]).toEqual([at('a.md')]);
    const scope = { ...everything, isInScope: (path: VaultPath) => path === at('a.md') };
    expect(other.lexical(parseQuery('alpha'), scope, 10)).toHaveLength(1);
    other.close();
  });
});

describe('finding', () => {
  beforeEach(() => {
    put(
      'projects/x/changelog.md',
      '# 2025-07-14\n\n## [décision] Drop the external API\nToo slow.\n\n# 2025-06-01\n\n## API started\nok\n',
    );
    put('bucket/api.md', '# The API\nThe external API of the provider is fast.\n', {
      updated: '2025-03-01T10:00:00',
    });
  });

  it('is by any of the words', () => {
    expect(found('api gateway').toSorted()).toEqual([
      'bucket/api.md:1',
      'projects/x/changelog.md:1',
      'projects/x/changelog.md:6',
    ]);
  });

  it('honours phrases and exclusions', () => {
    expect(found('"external api" -provider')).toEqual(['projects/x/changelog.md:1']);
  });

  it('takes any number of exclusions', () => {
    expect(found(`api ${'-no '.repeat(300)}-provider`)).not.toContain('bucket/api.md:1');
  });

  it('takes a phrase that nobody wrote as words', () => {
    expect(found('"provider of the universe"')).toEqual(['bucket/api.md:1']);
  });

  it('keeps to a scope, also a small one in a large index', () => {
    for (let number = 0; number < 200; number += 1) put(`notes/${number}.md`, `api api api ${number}\n`);
    const scope = { ...everything, isInScope: (path: VaultPath) => path.startsWith(at('bucket/')) };
    expect(found('api', scope)).toEqual(['bucket/api.md:1']);
  });

  it('keeps to dates: of a changelog its days, of other files their last change', () => {
    expect(found('api', { ...everything, from: '2025-07-01' })).toEqual(['projects/x/changelog.md:1']);
    expect(found('api', { ...everything, to: '2025-04-01' })).toEqual(['bucket/api.md:1']);
    expect(found('api', { ...everything, from: '2025-06-01', to: '2025-06-01' })).toEqual([
      'projects/x/changelog.md:6',
    ]);
  });

  it('knows in how many sections a word occurs', () => {
    expect(index.frequency('api')).toBe(3);
    expect(index.frequency('provider')).toBe(1);
    expect(index.frequency('nowhere')).toBe(0);
  });
});

describe('vectors', () => {
  const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

  it('find the nearest section within a scope, and are kept while a section only moves', async () => {
    put('tasks.md', '# One\nalpha\n\n# Two\nbeta\n');
    const table = index.vectors('model-a');
    for (const { hash, text } of table.missing(10))
      table.put(hash, [text.includes('alpha') ? vector(1, 0) : vector(0, 1)]);
    expect(table.missingCount()).toBe(0);
    const near = await table.nearest(vector(0.9, 0.1), everything, 5);
    expect(near.map(({ section }) => section.lines.start)).toEqual([1, 4]);
    expect(near[0]?.similarity).toBeGreaterThan(0.5);
    expect(near[1]?.similarity).toBeLessThan(0);
    put('tasks.md', '# Zero\nnew\n\n# One\nalpha\n\n# Two\nbeta\n');
    expect(table.missing(10).map(({ text }) => text)).toEqual([expect.stringContaining('Zero')]);
    expect(await table.nearest(vector(1, 0), { ...everything, isInScope: () => false }, 5)).toEqual([]);
  });

  /** Gives vectors to all sections that have none, by what their texts say. */
  const embed = (of: SectionIndex, vectorOf: (text: string) => Float32Array): void => {
    const table = of.vectors('model-a');
    for (const { hash, text } of table.missing(100_000)) table.put(hash, [vectorOf(text)]);
  };
  const byWord = (text: string): Float32Array => (text.includes('alpha') ? vector(1, 0) : vector(0, 1));
  const nearestOf = async (of: SectionIndex, filter = everything as Parameters<SectionIndex['lexical']>[1]) =>
    (await of.vectors('model-a').nearest(vector(1, 0), filter, 1)).map(({ section }) =>
      section.path.slice(6),
    );

  it('are of the oldest sections first, and none of what a model may not see', () => {
    for (const name of ['b.md', 'a.md', 'c.md']) put(name, `${name}\n`);
    const table = index.vectors('model-a');
    const missing = (isExcluded: (path: VaultPath) => boolean) =>
      table.missing(10, isExcluded).map(({ text }) => text.split('\n')[1]);
    expect(missing(() => false)).toEqual(['b.md', 'a.md', 'c.md']);
    const isExcluded = (path: VaultPath): boolean => path === at('a.md');
    expect(missing(isExcluded)).toEqual(['b.md', 'c.md']);
    expect([table.seenCount(isExcluded), table.missingCount(isExcluded)]).toEqual([2, 2]);
    expect([table.seenCount(), table.missingCount()]).toEqual([3, 3]);
  });

  it('of one section say which of its windows is near', async () => {
    put('a.md', 'alpha\n');
    const table = index.vectors('model-a');
    table.put(table.missing(1)[0]?.hash ?? '', [vector(0, 1), vector(0.8, 0.6), vector(1, 0)]);
    expect(await table.nearest(vector(0.8, 0.6), everything, 1)).toMatchObject([{ window: 1 }]);
  });

  it('follow what is written, moved and removed, here and by another process', async () => {
    put('a.md', 'alpha\n');
    put('b.md', 'beta\n');
    embed(index, byWord);
    expect(await nearestOf(index)).toEqual(['a.md']);
    index.remove(at('a.md'));
    expect(await nearestOf(index)).toEqual(['b.md']);
    const other = await openSectionIndex(file);
    other.put(
      at('c.md'),
      { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '' },
      sectionsOf(at('c.md'), 'alpha again\n', usualLayout),
    );
    expect(await nearestOf(index)).toEqual(['b.md']);
    embed(other, byWord);
    expect(await nearestOf(index)).toEqual(['c.md']);
    other.close();
    // The same content once more: nothing to embed, and found all the same.
    put('d.md', 'beta\n');
    put('folder/b.md', 'beta\n');
    index.remove(at('b.md'));
    index.remove(at('c.md'));
    embed(index, byWord);
    expect(
      await nearestOf(index, { ...everything, isInScope: (path) => path === at('folder/b.md') }),
    ).toEqual(['folder/b.md']);
  });

  it('keep to dates: of a changelog its days, of other files their last change', async () => {
    put('changelog.md', '# 2025-07-14\n\nalpha\n\n# 2025-06-01\n\nalpha, too\n');
    put('note.md', 'alpha as well\n', { updated: '2025-03-01T10:00:00' });
    embed(index, byWord);
    const datesOf = async (filter: object) =>
      (await index.vectors('model-a').nearest(vector(1, 0), { ...everything, ...filter }, 9)).map(
        ({ section }) => `${section.path.slice(6)}:${section.lines.start}`,
      );
    expect(await datesOf({ from: '2025-07-01' })).toEqual(['changelog.md:1']);
    expect(await datesOf({ to: '2025-04-01' })).toEqual(['note.md:1']);
    expect(await datesOf({ from: '2025-06-01', to: '2025-06-30' })).toEqual(['changelog.md:5']);
  });

  it('of sections that are gone are dropped when asked, and no others', async () => {
    for (const name of ['a.md', 'b.md', 'c.md']) put(name, `${name}\n`);
    embed(index, byWord);
    index.remove(at('b.md'));
    expect(await index.vectors('model-a').dropGone()).toBe(1);
    expect(await index.vectors('model-a').dropGone()).toBe(0);
    put('b.md', 'b.md\n');
    expect(
      index
        .vectors('model-a')
        .missing(9)
        .map(({ text }) => text),
    ).toEqual(['b\nb.md\n'.trim()]);
  });

  it('are found among thousands as by comparing them all, also after most of them are gone', async () => {
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
    index.batch(() => {
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
        const names = new Set(near.map(({ section }) => section.body.trim()));
        hits += exact.filter(({ name }) => names.has(name)).length;
      }
      return hits / (10 * topics.length);
    };
    expect(await recall()).toBeGreaterThan(0.98);
    index.batch(() => {
      for (let number = 0; number < 4_000; number += 1)
        if (number >= 1_000) {
          index.remove(at(`${number}.md`));
          given.delete(`note ${number}`);
        }
    });
    await index.vectors('model-a').dropGone();
    expect(await recall()).toBeGreaterThan(0.98);
  });

  it('are made anew where another process has dropped them for another model', async () => {
    put('a.md', 'alpha\n');
    embed(index, byWord);
    expect(await nearestOf(index)).toEqual(['a.md']);
    const other = await openSectionIndex(file);
    other.vectors('model-b').dropOthers();
    other.close();
    expect(index.vectors('model-a').missingCount()).toBe(1);
    expect(await nearestOf(index)).toEqual([]);
  });

  it('of a length that the model does not give any more are not compared', async () => {
    put('a.md', 'alpha\n');
    embed(index, byWord);
    const nearest = index.vectors('model-a').nearest(new Float32Array(100).fill(0.1), everything, 1);
    await expect(nearest).rejects.toThrow('keepsake index --rebuild');
  });

  it('of two models do not mix, and the old ones go when asked', () => {
    put('a.md', 'alpha\n');
    const [old, next] = [index.vectors('old'), index.vectors('new')];
    old.put(old.missing(1)[0]?.hash ?? '', [vector(1, 0)]);
    expect(next.missingCount()).toBe(1);
    next.dropOthers();
    expect(index.vectors('old').missingCount()).toBe(1);
  });
});

describe('an index that was made in another way', () => {
  it('is refused, so that it is made anew', async () => {
    index.close();
    look((database) => database.exec('update keepsake_index set version = 0'));
    await expect(openSectionIndex(file)).rejects.toThrow(UnusableIndex);
    rmSync(file);
    index = await openSectionIndex(file);
  });

  it('fails to open as damaged when it is not a database', async () => {
    index.close();
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, 'this is not a database, but it is long enough to be looked at as one'.repeat(100));
    await expect(openSectionIndex(file)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
    rmSync(file);
    index = await openSectionIndex(file);
  });
});

it('takes many sections that say the same about as fast as many that do not', () => {
  const most = 8_000;
  const [section] = sectionsOf(at('a.md'), 'words\n', usualLayout);
  if (section === undefined) throw new Error('there is one');
  const timeOf = (path: string, bodyOf: (number: number) => string): number => {
    const sections = Array.from({ length: most }, (_, number) => ({ ...section, body: bodyOf(number) }));
    const known = { revision: 'r' as Revision, size: 1, mtime: 1, ctime: 1, updated: '2025-01-01T00:00:00' };
    const began = process.cpuUsage().user;
    expect(index.put(at(path), known, sections).added).toBe(most);
    return process.cpuUsage().user - began;
  };
  timeOf('first.md', (number) => `first ${number}`);
  const different = timeOf('different.md', (number) => `words ${number}`);
  expect(timeOf('same.md', () => 'words') / different).toBeLessThan(3);
});
