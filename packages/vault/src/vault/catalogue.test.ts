import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { createCatalogue } from './catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import { createCatalogueStore } from './catalogue-store.ts';
import type { FolderEntry } from './file-record.ts';
import { resolveRoot } from './open-path.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** Later than the timestamp resolution, so that every timestamp is trusted. */
const later = (): number => Date.now() + 60_000;

function setUp(
  files: Files,
  clock = later,
): { folder: string; catalogue: Catalogue; start: (clock?: () => number) => Catalogue } {
  const folder = temporaryFolder();
  layOut(folder, files);
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  const start = (at = clock): Catalogue =>
    createCatalogue(
      resolveRoot(folder),
      createCatalogueStore(database, (error) => expect.unreachable(error.message)),
      at,
    );
  return { folder, catalogue: start(), start };
}

const at = (text: string): VaultPath => {
  const parsed = parseVaultPath(text);
  return parsed.ok ? parsed.path : expect.unreachable(parsed.reason);
};

/** The content of a catalogue as sorted lines. */
function flatten(folder: FolderEntry): string[] {
  const files = [...folder.files].map(
    ([name, { size, tokens, updated }]) => `${folder.path}/${name} ${size} ${tokens} ${updated}`,
  );
  return [`${folder.path}/`, ...files, ...[...folder.folders.values()].flatMap(flatten)].toSorted();
}

const paths = (changes: { path: string }[]): string[] => changes.map(({ path }) => path).toSorted();

describe('files of sync services in a vault', () => {
  it('are not listed if they are temporary, but folders with such names are', async () => {
    const { catalogue } = setUp({
      'a.md': 'a',
      '~$a.md': 'lock',
      '~syncthing~a.md.tmp': 'half',
      'a.md.part': 'half',
      'desktop.ini': '',
      '.stversions/a.md': 'old',
      '.stfolder': null,
      'ideas.tmp/b.md': 'b',
    });
    const listed = flatten(await catalogue.contents()).map((line) => line.split(' ')[0]);
    expect(listed).toEqual(['vault/', 'vault/a.md', 'vault/ideas.tmp/', 'vault/ideas.tmp/b.md']);
    expect(catalogue.skipped()).toEqual([]);
  });

  it('are excluded if they are conflict copies, and included once their original is gone', async () => {
    const text = 'one\ntwo\nthree\nfour\n';
    const { folder, catalogue } = setUp({
      'a.md': text,
      'a.sync-conflict-20260714-183000-ABCDEFG.md': 'whatever',
      'a 2.md': `${text}five\n`,
      'a (1).md': 'another note\n',
      'b (conflicted copy 2026-07-14 183000).md': 'alone',
    });
    const names = async (): Promise<string[]> => [...(await catalogue.contents()).files.keys()].toSorted();
    const alone = ['a (1).md', 'b (conflicted copy 2026-07-14 183000).md'];
    expect(await names()).toEqual([...alone.slice(0, 1), 'a.md', ...alone.slice(1)]);
    const copies = (): string[] =>
      catalogue
        .conflictCopies()
        .map(({ path }) => path)
        .toSorted();
    expect(copies()).toEqual(['vault/a 2.md', 'vault/a.sync-conflict-20260714-183000-ABCDEFG.md']);
    writeFileSync(join(folder, 'b.md'), 'it');
    expect(paths(await catalogue.refresh())).toEqual([
      'vault/b (conflicted copy 2026-07-14 183000).md',
      'vault/b.md',
    ]);
    rmSync(join(folder, 'a 2.md'));
    await catalogue.refreshPath(at('a 2.md'));
    expect(copies()).toHaveLength(2);
    rmSync(join(folder, 'a.md'));
    await catalogue.refresh();
    expect(await names()).toEqual(['a (1).md', 'a.sync-conflict-20260714-183000-ABCDEFG.md', 'b.md']);
  });

  it('stay listed while they are offloaded to iCloud and their placeholder exists', async () => {
    const { folder, catalogue, start } = setUp({ 'a.md': 'a', 'b.md': 'b' });
    await catalogue.contents();
    for (const name of ['a.md', 'b.md']) rmSync(join(folder, name));
    writeFileSync(join(folder, '.a.md.icloud'), 'placeholder');
    expect(await catalogue.refreshPath(at('a.md'))).toEqual([]);
    expect(paths(await catalogue.refresh())).toEqual(['vault/b.md']);
    expect([...(await start().contents()).files.keys()]).toEqual(['a.md']);
    rmSync(join(folder, '.a.md.icloud'));
    expect(paths(await catalogue.refresh())).toEqual(['vault/a.md']);
  });
});

describe('catalogue', () => {
  it('lists every file and folder except hidden ones', async () => {
    const { catalogue } = setUp({
      'a.md': '# A\n',
      'b/c.md': 'text',
      'b/empty': null,
      '.keepsake/vault.json': '{}',
      'b/.x.md': '',
      'x.pdf': 'pdf',
    });
    expect(flatten(await catalogue.contents()).map((line) => line.split(' ')[0])).toEqual([
      'vault/',
      'vault/a.md',
      'vault/b/',
      'vault/b/c.md',
      'vault/b/empty/',
      'vault/x.pdf',
    ]);
  });

  it('measures only markdown and images', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    const { catalogue } = setUp({
      'a.md': '---\nupdated: 2025-07-14T18:30:00\n---\n\n# A\n',
      'i.png': png,
      'x.pdf': 'pdf',
      'binary.md': Buffer.from([0]),
    });
    const changes = await catalogue.refresh();
    const records = Object.fromEntries(changes.map(({ path, record }) => [path, record]));
    expect(records['vault/a.md']).toMatchObject({
      kind: 'markdown',
      lines: 5,
      tokens: 2,
      title: 'A',
      updated: '2025-07-14T18:30:00',
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      inode: expect.any(Number),
    });
    expect(records['vault/i.png']).toMatchObject({
      kind: 'image',
      width: 1,
      height: 1,
      tokens: 1,
      lines: null,
    });
    expect(records['vault/x.pdf']).toMatchObject({ kind: 'other', tokens: null, revision: null });
    expect(records['vault/binary.md']).toMatchObject({ kind: 'markdown', tokens: null, revision: null });
  });

  it('reads only changed files, in the same process and after a restart', async () => {
    const { folder, catalogue, start } = setUp({ 'a.md': 'a\n', 'b.md': 'b\n', 'gone/c.md': 'c\n' });
    expect(await catalogue.refresh()).toHaveLength(3);
    expect(await catalogue.refresh()).toEqual([]);
    expect(await start().refresh()).toEqual([]);
    writeFileSync(join(folder, 'a.md'), 'changed\n');
    rmSync(join(folder, 'gone'), { recursive: true });
    expect(paths(await start().refresh())).toEqual(['vault/a.md', 'vault/gone/c.md']);
    expect(await start().refresh()).toEqual([]);
    expect(paths(await catalogue.refresh())).toEqual(['vault/a.md', 'vault/gone/c.md']);
  });

  it('detects a change that keeps size and modification time', async () => {
    const { folder, catalogue } = setUp({ 'a.md': 'one\n' });
    await catalogue.refresh();
    const { atime, mtime } = statSync(join(folder, 'a.md'));
    writeFileSync(join(folder, 'a.md'), 'two\n');
    utimesSync(join(folder, 'a.md'), atime, mtime);
    expect(paths(await catalogue.refresh())).toEqual(['vault/a.md']);
  });

  it('does not trust the timestamps of a file that has just changed', async () => {
    const { catalogue, start } = setUp({ 'a.md': 'one\n' }, Date.now);
    await catalogue.refresh();
    expect(paths(await start(later).refresh())).toEqual(['vault/a.md']);
    expect(await start(later).refresh()).toEqual([]);
  });

  it('rescans a single path', async () => {
    const { folder, catalogue } = setUp({ 'a.md': 'a\n', 'p/b.md': 'b\n' });
    await catalogue.refresh();
    layOut(folder, { 'a.md': 'changed\n', 'p/q/r/new.md': 'new\n' });
    rmSync(join(folder, 'p/b.md'));
    expect(paths(await catalogue.refreshPath(at('a.md')))).toEqual(['vault/a.md']);
    expect(paths(await catalogue.refreshPath(at('p/q/r/new.md')))).toEqual(['vault/p/q/r/new.md']);
    expect(paths(await catalogue.refreshPath(at('p/b.md')))).toEqual(['vault/p/b.md']);
    expect(await catalogue.refreshPath(at('p/b.md'))).toEqual([]);
    rmSync(join(folder, 'p'), { recursive: true });
    expect(paths(await catalogue.refreshPath(at('p/q/r/new.md')))).toEqual(['vault/p/q/r/new.md']);
    expect(await catalogue.refresh()).toEqual([]);
  });

  it('skips an unreadable file and lists the rest', async () => {
    const { catalogue } = setUp({
      'good.md': '# ok\n',
      'photo.png': Buffer.from([0xff, 0x0a]),
      'cut.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      'deep.md': `---\n"updated": x\nz: [${'a: '.repeat(4_000)}\n---\n`,
    });
    expect(flatten(await catalogue.contents())).toHaveLength(5);
  });

  it('serializes concurrent scans', async () => {
    const { catalogue } = setUp(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i % 7}/${i}.md`, `${i}\n`])),
    );
    const results = await Promise.all([
      catalogue.refresh(),
      catalogue.refresh(),
      catalogue.refreshPath(at('f1/1.md')),
      catalogue.contents(),
    ]);
    expect(results.slice(0, 3).map((changes) => (changes as unknown[]).length)).toEqual([300, 0, 0]);
  });

  it('equals a new catalogue after any series of path rescans', async () => {
    const name = fc.constantFrom('a.md', 'b.md', 'p/a.md', 'p/b.md', 'p/q/a.md', 'q/a.md');
    const change = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), name, text: fc.string({ maxLength: 20 }) }),
      fc.record({
        kind: fc.constant('remove' as const),
        name: fc.constantFrom('a.md', 'p', 'p/q', 'q', 'q/a.md'),
      }),
      fc.record({
        kind: fc.constant('move' as const),
        name: fc.constantFrom('p', 'a.md', 'p/q'),
        to: fc.constantFrom('z', 'p2', 'b.md'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const { folder, catalogue, start } = setUp({ 'a.md': 'a\n', 'p/a.md': 'b\n' });
        await catalogue.refresh();
        await catalogue.size();
        for (const each of changes) {
          const full = join(folder, each.name);
          try {
            if (each.kind === 'write') layOut(folder, { [each.name]: each.text });
            if (each.kind === 'remove') rmSync(full, { recursive: true, force: true });
            if (each.kind === 'move') renameSync(full, join(folder, each.to));
          } catch {
            mkdirSync(dirname(full), { recursive: true }); // the change was not possible: another one instead
          }
          await catalogue.refreshPath(at(each.name));
          if (each.kind === 'move') await catalogue.refreshPath(at(each.to));
        }
        const updated = flatten(await catalogue.contents()).filter((line) => !line.endsWith('/'));
        const rescanned = flatten(await start().contents()).filter((line) => !line.endsWith('/'));
        expect(updated).toEqual(rescanned);
        expect(await catalogue.size()).toEqual(await start().size());
      }),
      { numRuns: 150 },
    );
  });
});
