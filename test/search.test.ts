import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { formatSearchResult, tools } from '../packages/vault/src/tools/index.ts';
import { costRatio } from './cost-ratio.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = {
  'tasks.md': '# Buy paint\nstatus: open\n\n# Call the plumber\nstatus: blocked\n',
  'projects/flat/state.md': '## Status\nwaiting for the plumber\n',
  'bucket/zebra.md': '# Zebra\nstripes and savanna\n',
  'overview.md': 'zebra overview\n',
  'inbox/x/review.md': 'zebra inbox\n',
};

async function open(folder: string, state: string): Promise<Keepsake> {
  const keepsake = await openKeepsake({ vault: folder, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  return keepsake;
}

async function setUp(more: Record<string, string> = {}) {
  const [folder, state] = [temporaryFolder(), temporaryFolder()];
  layOut(folder, { ...files, ...more });
  return { folder, state, keepsake: await open(folder, state) };
}

async function found(keepsake: Keepsake, query: string, run = keepsake.writeRun('model')): Promise<string[]> {
  const outcome = await run.search({ queries: [query], mode: 'fast' });
  if (outcome.kind !== 'found') throw new Error(outcome.reason);
  return outcome.passages.map(({ path, chunkRange, shownLines }) => {
    expect(shownLines.length).toBeGreaterThan(0);
    return `${path.slice(6)}:${chunkRange.start}`;
  });
}

const call = (name: string, input: unknown, run: ReturnType<Keepsake['writeRun']>) =>
  tools.find((tool) => tool.name === name)?.call(input, run);

describe('search', () => {
  it('finds passages, but not in the overview or the inbox', async () => {
    const { keepsake } = await setUp();
    expect(await found(keepsake, 'zebra')).toEqual(['bucket/zebra.md:1']);
    expect((await found(keepsake, 'plumber')).toSorted()).toEqual(['projects/flat/state.md:1', 'tasks.md:4']);
  });

  it('matches an unknown word as a prefix, or with one different letter', async () => {
    const { keepsake } = await setUp({
      'notes/house.md': '# House\nThe boiler and the œuvre of its organisation.\n',
    });
    for (const query of ['boil', 'boil*', 'boilr', 'organisati*', 'oeuvre', 'œuvre', 'boiler'])
      expect([query, ...(await found(keepsake, query))]).toEqual([query, 'notes/house.md:1']);
    for (const query of ['boot*', 'bo1ler', 'xyz'])
      expect([query, ...(await found(keepsake, query))]).toEqual([query]);
  });

  it('finds a note by its frontmatter, ranked below a match in the text', async () => {
    const { keepsake } = await setUp({
      'Boiler.md': '---\naliases: [Zanzibar]\nstatus: paused\n---\n# Boiler\nServiced in June.\n',
      'trip.md': '# Trip\nWe went to Zanzibar.\n',
    });
    const outcome = await keepsake.writeRun('model').search({ queries: ['zanzibar'], mode: 'fast' });
    if (outcome.kind !== 'found') throw new Error(outcome.reason);
    expect(outcome.passages.map(({ path, bestLine }) => `${path}:${bestLine}`)).toEqual([
      'vault/trip.md:2',
      'vault/Boiler.md:2',
    ]);
    expect(outcome.passages[1]?.shownLines.slice(1, 3)).toEqual(['aliases: [Zanzibar]', 'status: paused']);
  });

  it('finds an image by its name, by links to it and by the words around them', async () => {
    const { folder, keepsake } = await setUp({
      'projects/flat/state.md':
        '# Flat\n\nThe quokka in the cellar, see ![the fuse box](../../bucket/img-4711.png)\n',
      'projects/flat/description.md':
        '# Flat\n![[img-4711.png]] shows the wombat.\n\n![gone](gone.png) numbat\n',
    });
    writeFileSync(join(folder, 'bucket/img-4711.png'), png);
    writeFileSync(join(folder, 'inbox/x/img-4712.png'), png);
    const images = async (query: string, more = {}): Promise<string[]> => {
      const outcome = await keepsake.writeRun('model').search({ queries: [query], mode: 'fast', ...more });
      if (outcome.kind !== 'found') throw new Error(outcome.reason);
      return outcome.passages.flatMap(({ path, shownLines }) => (path.endsWith('.png') ? shownLines : []));
    };
    const line = '[image vault/bucket/img-4711.png · png · 1×1]';
    for (const query of ['img 4711', 'fuse box', 'quokka', 'wombat'])
      expect(await images(query)).toEqual([line]);
    for (const query of ['4712', 'numbat', 'gone']) expect(await images(query)).toEqual([]);
    expect(await images('fuse box', { scopes: ['projects/'] })).toEqual([]);
    expect(await images('fuse box', { isExcluded: (path: string) => path.endsWith('.png') })).toEqual([]);
    rmSync(join(folder, 'bucket/img-4711.png'));
    expect(await images('fuse box')).toEqual([]);
  });

  it('ignores a file that is not a valid image despite its name, and shows other results', async () => {
    const { folder, keepsake } = await setUp({
      'notes/heating.md': '# Heating\nthe thermostat hangs in the hall\n',
    });
    writeFileSync(join(folder, 'bucket/thermostat.png'), 'not an image');
    writeFileSync(join(folder, 'bucket/thermostat-2.jpg'), '');
    expect(await found(keepsake, 'thermostat')).toEqual(['notes/heating.md:1']);
  });

  it('finds a bucket item whose frontmatter links to an image', async () => {
    const item =
      '---\ntitle: thermostat\ncreated: 2025-01-01T00:00:00\n![valve](valve.png)\n---\n\nThe thermostat hangs.\n';
    const { keepsake } = await setUp({ 'bucket/item.md': item });
    expect(await found(keepsake, 'thermostat')).toEqual(['bucket/item.md:2']);
  });

  it('always shows a hit, truncating a long line', async () => {
    const { keepsake } = await setUp({
      'notes/line.md': `${'word '.repeat(8_000)} numbat\n`,
      'notes/log.md': `${'some words in a line\n'.repeat(2_000)}wombat\n${'other words in a line\n'.repeat(2_000)}`,
    });
    expect(await found(keepsake, 'numbat')).toHaveLength(1);
    const wide = await keepsake.readRun('person').search({ queries: ['wombat'], mode: 'fast', context: 900 });
    expect(wide.kind === 'found' && wide.passages.map(({ lines }) => lines)).toEqual([
      { start: 1101, end: 2901 },
    ]);
  });

  it('describes a passage as the whole file only if neither a line nor the frontmatter is truncated', async () => {
    const { keepsake } = await setUp({
      'bucket/wide.md': `first okapi\n${'wide '.repeat(2_000)}\nlast line\n`,
      'bucket/mail.md': '---\ntype: mail\nsource: quagga\n---\n\nbody\n',
    });
    const headers = async (query: string) => {
      const { text } = formatSearchResult(
        await keepsake.readRun('model').search({ queries: [query], mode: 'fast' }),
      );
      return text.match(/^```.*(?= · 0| · 1)/gm)?.map((header) => header.replace(/ · .*/, ''));
    };
    expect(await headers('okapi')).toEqual(['```vault/bucket/wide.md (lines 1-3)']);
    expect(await headers('quagga')).toEqual(['```vault/bucket/mail.md (lines 1-6, the whole file)']);
  });

  it('does not replace a known word with a similar one', async () => {
    const { keepsake } = await setUp({
      'notes/a.md': '# A\nmeilleurs vœux\n',
      'notes/b.md': '# B\nle vieux pont\n',
      'notes/c.md': '# C\ncập nhật\n',
      'notes/d.md': '# D\nwe agreed that\n',
      'notes/e.md': '# E\n東京の地図, une œuvre\n',
    });
    for (const query of ['vœux', 'voeux', 'vœ*'])
      expect(await found(keepsake, query)).toEqual(['notes/a.md:1']);
    expect(await found(keepsake, 'nhật')).toEqual(['notes/c.md:1']);
    for (const query of ['東京*', 'œuv*', 'oeuv*'])
      expect(await found(keepsake, query)).toEqual(['notes/e.md:1']);
    expect(await found(keepsake, 'nothing')).toEqual([]);
  });

  it('shows the requested number of results, and says how to get more until there are none', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `notes/${index}.md`,
        `${'x'.repeat(400)}\n\n`.repeat(5) + 'a bilby\n',
      ]),
    );
    const { keepsake } = await setUp(notes);
    const results = async (limit?: number) => {
      const outcome = await keepsake
        .readRun('model')
        .search({ queries: ['bilby'], mode: 'fast', limit, context: 10 });
      if (outcome.kind !== 'found') throw new Error(outcome.reason);
      return [outcome.passages.length, outcome.shown, outcome.matched, outcome.nextLimit];
    };
    const matched = { notes: 6, lines: 6 };
    expect(await results()).toEqual([3, { notes: 3, lines: 3 }, matched, 13]);
    expect(await results(4)).toEqual([4, { notes: 4, lines: 4 }, matched, 14]);
    expect(await results(14)).toEqual([6, matched, matched, null]);
  });

  it('does not use frontmatter as a heading', async () => {
    const { keepsake } = await setUp({
      'notes/paris.md':
        '---\ntitle: Quokka trip\ntags: [travel]\n---\n\nWe went by train, said the quokka.\n',
      'bucket/oslo.md': '---\ntitle: Numbat trip\n---\n\nWe went by ship.\n',
    });
    for (const query of ['quokka', 'numbat ship']) {
      const outcome = await keepsake.readRun('model').search({ queries: [query], mode: 'fast' });
      expect(
        outcome.kind === 'found' && outcome.passages.every(({ headings }) => headings.length === 0),
      ).toBe(true);
      expect(outcome.kind === 'found' && outcome.passages.length).toBeGreaterThan(0);
    }
  });

  it('has a constant cost per comment in a file with many comments', async () => {
    const { keepsake } = await setUp({
      'bucket/short.md': `\`\`\`\n${'<!-- an okapi -->\n'.repeat(1_250)}`,
      'bucket/long.md': `\`\`\`\n${'<!-- a giraffe -->\n'.repeat(20_000)}`,
    });
    await found(keepsake, 'okapi giraffe');
    const searching = (word: string) => async (): Promise<void> =>
      expect(await found(keepsake, word)).toHaveLength(1);
    expect(await costRatio(searching('giraffe'), searching('okapi'))).toBeLessThan(40);
  });

  it('never shows deleted text, however the file was saved', async () => {
    const { folder, keepsake } = await setUp();
    const file = join(folder, 'bucket/zebra.md');
    expect(await found(keepsake, 'savanna')).toEqual(['bucket/zebra.md:1']);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, '# Zebra\nstripes and steppes\n');
    utimesSync(file, atime, mtime);
    expect(await found(keepsake, 'savanna')).toEqual([]);
    expect(await found(keepsake, 'steppes')).toEqual(['bucket/zebra.md:1']);
    renameSync(file, join(folder, 'bucket/horse.md'));
    expect(await found(keepsake, 'steppes')).toEqual([]);
    rmSync(join(folder, 'tasks.md'));
    expect(await found(keepsake, 'plumber')).toEqual(['projects/flat/state.md:1']);
  });

  it('finds committed text immediately', async () => {
    const { keepsake } = await setUp();
    expect(await found(keepsake, 'giraffe')).toEqual([]);
    const run = keepsake.writeRun('person');
    await call('write', { path: 'bucket/giraffe.md', content: 'a giraffe\n' }, run);
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    expect(await found(keepsake, 'giraffe')).toEqual(['bucket/giraffe.md:7']);
  });

  it('finds text that its own transaction has staged, unlike other searches', async () => {
    const { keepsake } = await setUp();
    await found(keepsake, 'zebra');
    const run = keepsake.writeRun('model');
    await call('write', { path: 'bucket/okapi.md', content: '# Okapi\nforest zebra\n' }, run);
    await call('read', { paths: 'bucket/zebra.md' }, run);
    await call('edit', { path: 'bucket/zebra.md', old: 'stripes and savanna', new: 'only grass' }, run);
    await call('delete', { path: 'projects/flat/state.md' }, run);
    expect((await found(keepsake, 'zebra', run)).toSorted()).toEqual([
      'bucket/okapi.md:7',
      'bucket/zebra.md:1',
    ]);
    expect(await found(keepsake, 'savanna', run)).toEqual([]);
    expect(await found(keepsake, 'plumber', run)).toEqual(['tasks.md:4']);
    expect(await found(keepsake, 'savanna')).toEqual(['bucket/zebra.md:1']);
    expect(await found(keepsake, '"forest zebra" -okapi', run)).not.toContain('bucket/okapi.md:7');
  });

  it('shows the current heading of a file that has changed', async () => {
    const { folder, keepsake } = await setUp({
      'notes/long.md': `# Old heading\n${'filler words here\n'.repeat(400)}quokka\n`,
    });
    await found(keepsake, 'quokka');
    writeFileSync(
      join(folder, 'notes/long.md'),
      `# New heading\n${'filler words here\n'.repeat(400)}quokka\n`,
    );
    const outcome = await keepsake.writeRun('model').search({ queries: ['quokka'], mode: 'fast' });
    expect(outcome.kind === 'found' && outcome.passages[0]?.headings).toEqual(['New heading']);
  });

  it('limits the length of the result for a long unclosed fence and for a very long line', async () => {
    const { keepsake } = await setUp({
      'bucket/log.md': `\`\`\`\n${'a zebra in the log\n'.repeat(40_000)}`,
      'bucket/line.md': `zebra ${'x '.repeat(400_000)}`,
    });
    const outcome = await call(
      'search',
      { queries: ['zebra log'], mode: 'fast' },
      keepsake.writeRun('model'),
    );
    expect(outcome?.kind === 'result' && outcome.result.text.length).toBeLessThan(30_000);
    expect(outcome?.kind === 'result' && outcome.result.text).toContain('bucket/log.md');
  });

  it('has a constant cost per line when a fence is never closed', async () => {
    const { keepsake } = await setUp({
      'bucket/short.md': `\`\`\`\n${'an okapi in the log\n'.repeat(1_250)}`,
      'bucket/long.md': `\`\`\`\n${'a giraffe in the log\n'.repeat(20_000)}`,
    });
    await found(keepsake, 'okapi giraffe');
    const searching = (word: string) => async (): Promise<void> =>
      expect(await found(keepsake, word)).toHaveLength(1);
    // About 16 for linear cost, 256 for quadratic cost.
    expect(await costRatio(searching('giraffe'), searching('okapi'))).toBeLessThan(40);
  });

  it('finds text that was committed during a scan of all files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`notes/${index}.md`, 'some words\n'.repeat(4_000)]),
    );
    const { folder, keepsake } = await setUp(many);
    await found(keepsake, 'zebra');
    for (const name of Object.keys(many)) writeFileSync(join(folder, name), 'other words\n'.repeat(4_000));
    const comparing = keepsake.search.prepare('fast');
    await new Promise((done) => setTimeout(done, 20));
    const run = keepsake.writeRun('person');
    await call('append', { path: 'notes/0.md', content: 'a wombat', position: 'bottom' }, run);
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    await comparing;
    expect(await found(keepsake, 'wombat')).toHaveLength(1);
  });

  it('merges the results of several queries', async () => {
    const { keepsake } = await setUp();
    const outcome = await keepsake.writeRun('model').search({ queries: ['zebra', 'paint'], mode: 'fast' });
    expect(outcome.kind === 'found' && outcome.passages.map(({ path }) => path).toSorted()).toEqual([
      'vault/bucket/zebra.md',
      'vault/tasks.md',
    ]);
  });

  it('reports a scope without files, and a deep search without a model', async () => {
    const { keepsake } = await setUp();
    const outcome = await call(
      'search',
      { queries: ['zebra'], mode: 'deep', scopes: ['nowhere/*'] },
      keepsake.writeRun('model'),
    );
    const text = outcome?.kind === 'result' ? outcome.result.text : '';
    expect(text).toContain('no files match scope nowhere/*');
    expect(text).toMatch(/keyword matches only: no embedding model/);
  });

  it.each([
    '"',
    '* OR NEAR(',
    "a' AND 1=1 --",
    '-',
    '^:@#',
    'a"b',
    'NOT zebra',
    'zebra AND',
    '{title}:zebra',
    'zebra*',
    '\0',
    '🦓',
    'a:b:c',
    '()[]{}',
    '-zebra',
    '-"',
    '%_',
    '\\',
  ])('survives the query %j', async (query) => {
    const { keepsake } = await setUp();
    expect(await found(keepsake, query)).toEqual(expect.any(Array));
  });

  it.each([
    ['one word of a million letters', 'z'.repeat(1_000_000)],
    ['a hundred thousand words', 'zebra '.repeat(100_000)],
  ])('searches only for the beginning of a query of %s', async (_, query) => {
    const { keepsake } = await setUp({ 'bucket/okapi.md': 'okapi\n' });
    expect(await found(keepsake, `${query} okapi`)).not.toContain('bucket/okapi.md:7');
  });
});

describe('a damaged index', () => {
  const damages: Record<string, (file: string, random: () => number) => void> = {
    deleted: (file) => rmSync(file, { force: true }),
    truncated: (file, random) => truncateSync(file, Math.floor(random() * statSync(file).size)),
    'bit-flipped': (file, random) => {
      const bytes = readFileSync(file);
      for (let flip = 0; flip < 20; flip += 1) {
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      writeFileSync(file, bytes);
    },
  };

  it.each(Object.keys(damages))('is rebuilt after it was %s, and no note is changed', async (name) => {
    const { folder, state, keepsake } = await setUp(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `notes/${index}.md`,
          `# Note ${index}\nunique${index} common text\n`,
        ]),
      ),
    );
    expect(await found(keepsake, 'unique7')).toEqual(['notes/7.md:1']);
    await keepsake.close();
    const before = readFileSync(join(folder, 'notes/7.md'), 'utf8');
    const pristine = readFileSync(join(state, 'index.sqlite'));
    let seed = 42;
    const random = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    for (let round = 0; round < (name === 'deleted' ? 3 : 34); round += 1) {
      for (const suffix of ['-wal', '-shm']) rmSync(join(state, `index.sqlite${suffix}`), { force: true });
      writeFileSync(join(state, 'index.sqlite'), pristine);
      damages[name]?.(join(state, 'index.sqlite'), random);
      const again = await openKeepsake({ vault: folder, state, environment: readEnvironment() });
      const answer = await again.writeRun('model').search({ queries: ['unique7 common'], mode: 'fast' });
      expect(answer.kind).toBe('found');
      // A flipped bit may hide a word, but everything shown is in the file.
      if (answer.kind === 'found')
        for (const { path, lines, shownLines } of answer.passages)
          expect(
            readFileSync(join(folder, path.slice(6)), 'utf8')
              .split('\n')
              .slice(lines.start - 1, lines.end),
          ).toEqual(shownLines);
      if (name !== 'bit-flipped')
        expect(answer.kind === 'found' && answer.passages[0]?.path).toBe('vault/notes/7.md');
      await again.close();
    }
    expect(readFileSync(join(folder, 'notes/7.md'), 'utf8')).toBe(before);
  });

  it('is not confused with an index that another process has locked', async () => {
    const { state, keepsake } = await setUp();
    await found(keepsake, 'zebra');
    // In a separate thread, because waiting for the lock blocks this one.
    const other = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      const database = new (require('better-sqlite3'))(workerData);
      database.exec('begin immediate');
      parentPort.postMessage('locked');
      setTimeout(() => database.exec('commit'), 300);`,
      { eval: true, workerData: join(state, 'index.sqlite') },
    );
    await once(other, 'message');
    const run = keepsake.writeRun('person');
    await call('write', { path: 'bucket/late.md', content: 'late zebra\n' }, run);
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    expect(await found(keepsake, 'zebra')).toContain('bucket/late.md:7');
    await once(other, 'exit');
  });
});
