import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { defaultLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { maxChunkTokens, chunkFile as chunksIn } from './chunker.ts';

const chunksOf = (path: VaultPath, text: string) => chunksIn(path, text, defaultLayout);
const textChunks = (path: VaultPath, text: string) =>
  chunksOf(path, text).filter(({ kind }) => kind === 'text');
const at = (path: string): VaultPath => `vault/${path}` as VaultPath;
const words = (tokens: number): string => 'word '.repeat(Math.ceil((tokens * 4) / 5)).trim();
const ranges = (path: string, text: string): [number, number][] =>
  textChunks(at(path), text).map(({ lines }) => [lines.start, lines.end]);

describe('chunks', () => {
  it('keep a short file in one piece, without its frontmatter', () => {
    const [chunk, ...others] = textChunks(at('projects/x/state.md'), '---\ntype: a\n---\n# State\nfine\n');
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({
      lines: { start: 4, end: 5 },
      headingPath: 'x › state › State',
      body: '# State\nfine',
    });
  });

  it('include the frontmatter of bucket items', () => {
    expect(ranges('bucket/mail.md', '---\nsource: mail\n---\n\n# Mail\n')).toEqual([[2, 5]]);
    expect(
      textChunks(at('projects/x/bucket/mail.md'), '---\nsource: mail\n---\n\n# Mail\n')[0]?.headingPath,
    ).toBe('x › bucket › mail › Mail');
  });

  it('leave out the frontmatter of notes in a folder that is named bucket but is not a bucket', () => {
    expect(ranges('notes/bucket/mail.md', '---\nsource: mail\n---\n\n# Mail\n')).toEqual([[5, 5]]);
  });

  it('hold one task each, however short', () => {
    expect(ranges('tasks.md', '# One\nstatus: a\n\n# Two\nstatus: b\n')).toEqual([
      [1, 3],
      [4, 5],
    ]);
  });

  it('are few even if a file has very many headings', () => {
    const text = Array.from({ length: 20_000 }, (_, task) => `# ${task}\n`).join('');
    expect(ranges('tasks.md', text).length).toBeLessThan(200);
  });

  it('hold one changelog day each, with its date', () => {
    const text = '# 2025-07-14\n\n## Second\nb\n\n# 2025-07-13\n\n## First\na\n';
    const chunks = textChunks(at('projects/x/changelog.md'), text);
    expect(chunks.map(({ date }) => date)).toEqual(['2025-07-14', '2025-07-13']);
    expect(chunks[0]?.headingPath).toBe('x › changelog › 2025-07-14 › Second');
  });

  it('hold one changelog entry each if it states a date of its own', () => {
    const text = [
      '# 2026-11-17\n\n## Vote\nwhen: 2026-09-24\nfrom: 2027-01-01\nText.\n',
      '## Call\nText.\n\n## Lunch\nText.\n',
      '## Rent\nfrom: 2027-02-01\n\n# 2026-11-16\n\n## Other\nText.\nwhen: 2026-01-01\n',
    ].join('\n');
    const chunks = textChunks(at('changelog.md'), text);
    expect(chunks.map(({ lines, date }) => [lines.start, lines.end, date])).toEqual([
      [1, 7, '2026-09-24 2027-01-01'],
      [8, 13, '2026-11-17'],
      [14, 16, '2026-11-17 2027-02-01'],
      [17, 21, '2026-11-16'],
    ]);
    expect(chunks[0]?.headingPath).toBe('changelog › 2026-11-17 › Vote');
    expect(textChunks(at('notes.md'), text)).toHaveLength(1);
    const long = `# 2026-11-17\n\n## Vote\nwhen: 2026-09-24\n\n${`${words(500)}\n\n`.repeat(3)}## Call\n`;
    const datesOfLong = textChunks(at('changelog.md'), long)
      .filter(({ body }) => body.includes('word'))
      .map(({ date }) => date);
    expect(datesOfLong).toEqual(['2026-09-24', '2026-09-24', '2026-09-24']);
  });

  it('have the date of the first changelog day even below frontmatter or a byte order mark', () => {
    const dates = (text: string): (string | null)[] =>
      textChunks(at('changelog.md'), text).map(({ date }) => date);
    expect(dates('---\ntype: x\n---\n\n# 2025-07-14\na\n\n# 2025-07-13\nb\n')).toEqual([
      '2025-07-14',
      '2025-07-13',
    ]);
    expect(dates('\ufeff# 2025-07-14\na\n')).toEqual(['2025-07-14']);
  });

  it.each([
    ['many lines', 'a.md', (size: number) => `${'a'.repeat(71)}\n`.repeat(size * 5)],
    ['many entries in one day', 'changelog.md', (size: number) => `# 2025-07-14\n${'## a\n'.repeat(size)}`],
  ])('are created in linear time in a file with %s', async (_, path, textOf) => {
    const [few, many] = [textOf(2_500), textOf(40_000)];
    const cut = (text: string) => () => textChunks(at(path), text);
    // 16 if each line costs the same, more than 100 if every chunk visits all lines again.
    expect(await costRatio(cut(many), cut(few))).toBeLessThan(60);
  });

  it('hold one changelog entry each, with its date, if a day is long', () => {
    const text = `# 2025-07-14\n\n## Second\n${words(600)}\n\n## First\n${words(600)}\n`;
    const chunks = textChunks(at('changelog.md'), text);
    expect(chunks.map(({ lines }) => lines.start)).toEqual([1, 6]);
    expect(chunks.map(({ date }) => date)).toEqual(['2025-07-14', '2025-07-14']);
    expect(chunks[1]?.headingPath).toBe('changelog › 2025-07-14 › First');
  });

  it('start at headings in a long file', () => {
    const text = `# A\n${words(500)}\n\n## B\n${words(500)}\n\n## C\n${words(500)}\n`;
    expect(ranges('bucket/long.md', text)).toEqual([
      [1, 3],
      [4, 6],
      [7, 8],
    ]);
  });

  it('keep a single line whole even if it exceeds the budget', () => {
    const text = `short\n\n${words(2_000)}\n\nshort\n`;
    expect(ranges('a.md', text)).toEqual([
      [1, 2],
      [3, 3],
      [4, 5],
    ]);
  });
});

describe('additional chunks', () => {
  it('hold the frontmatter of a note without the timestamps', () => {
    const text = '---\ncreated: 2025-01-10T10:00:00\naliases: [Zanzibar]\ntokens: 4\n---\n\n# Boiler\n';
    const [properties] = chunksOf(at('Boiler.md'), text);
    expect(properties).toMatchObject({
      kind: 'properties',
      lines: { start: 1, end: 5 },
      headingPath: 'Boiler',
    });
    expect(properties?.body.split('\n')).toEqual(['', '', 'aliases: [Zanzibar]', '', '']);
    expect(chunksOf(at('x.md'), '---\nupdated: 2025-01-10T10:00:00\n---\nx\n')).toHaveLength(1);
  });

  it('describe each image that a note embeds or links to, with the paragraph around it', () => {
    const text =
      '# House\nfirst\n\nThe boiler room:\n![plan](img/plan.png)\n\n[[cellar.jpg]] and [a page](x.md)\n';
    const images = chunksOf(at('notes/house.md'), text).slice(1);
    expect(images.map(({ kind, lines }) => [kind, lines.start, lines.end])).toEqual([
      [{ kind: 'path', target: 'img/plan.png' }, 4, 5],
      [{ kind: 'wiki', target: 'cellar.jpg' }, 7, 7],
    ]);
    expect(images[0]?.headingPath).toBe('notes › house › House › plan.png');
  });
});

describe('property: chunks of any markdown', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '# H1',
      '## H2',
      '### H3',
      '---',
      '```',
      '~~~',
      '````js',
      'Title',
      '=====',
      '- item',
      '> quote',
    ),
    fc.string({ maxLength: 60 }).map((text) => text.replaceAll('\n', ' ')),
    fc.integer({ min: 1, max: 1200 }).map(words),
  );
  const path = fc.constantFrom('tasks.md', 'changelog.md', 'a.md', 'bucket/b.md', 'projects/x/changelog.md');

  it('cover every line once, in order, and never start inside a fence', () => {
    fc.assert(
      fc.property(path, fc.array(line, { maxLength: 60 }), fc.boolean(), (name, lines, hasFrontmatter) => {
        // Lines that happen to form a frontmatter are indexed differently.
        fc.pre(hasFrontmatter || lines[0] !== '---');
        const text = `${hasFrontmatter ? '---\ntype: x\n---\n' : ''}${lines.join('\n')}`;
        const all = text.replace(/\n$/, '').split('\n');
        // The fences of the frontmatter are not indexed.
        if (hasFrontmatter) all[0] = all[2] = '';
        const chunks = textChunks(at(name), text);
        const first = chunks[0]?.lines.start ?? 1;
        expect(chunks.map(({ body }) => body).join('\n')).toBe(
          chunks.length === 0 ? '' : all.slice(first - 1).join('\n'),
        );
        let next = first;
        for (const { lines: range } of chunks) {
          expect(range.start).toBe(next);
          next = range.end + 1;
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('stay within the budget if a line break allows it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 80 }), (sizes) => {
        const text = sizes.map(words).join('\n');
        for (const { body } of textChunks(at('a.md'), text))
          expect(body.length / 4).toBeLessThanOrEqual(maxChunkTokens + 1);
      }),
      { numRuns: 300 },
    );
  });

  it('never split a fenced block', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const parts = sizes.map((size, index) =>
          index % 2 === 0
            ? words(size * 20)
            : ['```', ...Array.from({ length: size }, () => words(60)), '```'].join('\n'),
        );
        for (const { body } of textChunks(at('a.md'), parts.join('\n')))
          expect(body.split('\n').filter((text) => text === '```').length % 2).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
