import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  return index.put(at(path), known, sectionsOf(at(path), text));
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

  it('find the nearest section within a scope, and are kept while a section only moves', () => {
    put('tasks.md', '# One\nalpha\n\n# Two\nbeta\n');
    const table = index.vectors('model-a');
    for (const { hash, text } of table.missing(10))
      table.put(hash, [text.includes('alpha') ? vector(1, 0) : vector(0, 1)]);
    expect(table.missingCount()).toBe(0);
    const [nearest] = table.nearest(vector(0.9, 0.1), everything, 5);
    expect(nearest?.section.lines).toEqual({ start: 1, end: 3 });
    expect(nearest?.similarity).toBeGreaterThan(0.9);
    put('tasks.md', '# Zero\nnew\n\n# One\nalpha\n\n# Two\nbeta\n');
    expect(table.missing(10).map(({ text }) => text)).toEqual([expect.stringContaining('Zero')]);
    expect(table.nearest(vector(1, 0), { ...everything, isInScope: () => false }, 5)).toEqual([]);
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
