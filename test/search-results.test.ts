import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { formatSearchResult } from '../packages/vault/src/tools/index.ts';
import { findRetrievalData } from './retrieval-data.ts';
import { temporaryFolder } from './temporary-vault.ts';

type Question = { query: string; scopes?: string[] };

/** Typical queries for the demonstration vault: words, questions, names, tags, dates, in both of its languages. */
const demoQueries = [
  'licence',
  'décision',
  '[décision]',
  'pompe à chaleur',
  'chaudière',
  'open-almanac contributeurs',
  'why did we change the licence',
  'lave-linge réparation',
  'budget',
  'deadline',
  'status: bloqué',
  'jardin',
  'devis',
  'release',
  'Marie',
  'what is blocked',
  'juin 2026',
  'réunion',
  'tva',
  'next steps',
];

async function open(vault: string): Promise<Keepsake> {
  const environment = readEnvironment({ HOME: temporaryFolder(), PATH: process.env['PATH'] });
  const keepsake = await openKeepsake({ vault, state: temporaryFolder(), environment });
  onTestFinished(async () => void (await keepsake.close()));
  return keepsake;
}

function questionsOf(set: string, count: number): Question[] {
  const lines = readFileSync(join(set, 'queries.jsonl'), 'utf8').trim().split('\n');
  return Array.from({ length: count }, (_, index) => {
    const line = lines[Math.floor((index * lines.length) / count)] ?? '';
    return JSON.parse(line) as Question;
  });
}

const isBlank = (line: string): boolean => line.trim() === '';
const tokensOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + (line.length + 7) / 4, 0);

/** The headings of a file by line, found with a deliberately simple parser. */
function headingsOf(lines: readonly string[]): Map<number, string> {
  const headings = new Map<number, string>();
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    const text = isCode ? undefined : /^#{1,6} +(.*?) *$/.exec(line)?.[1];
    if (text !== undefined) headings.set(index + 1, text);
  }
  return headings;
}

/** The line at which the text of a file starts, after its frontmatter. */
function bodyStart(lines: readonly string[]): number {
  return lines[0] === '---' ? lines.indexOf('---', 1) + 2 : 1;
}

/** Checks every result of a search against its file. Returns the number of results. */
async function check(
  keepsake: Keepsake,
  vault: string,
  { query, scopes }: Question,
  context: number,
): Promise<number> {
  const outcome = await keepsake.readRun('model').search({ queries: [query], mode: 'fast', scopes, context });
  const { text, value } = formatSearchResult(outcome);
  const headers = [
    ...text.matchAll(/^```(\S.*?\.md) \(lines (\d+)-(\d+)[^)]*\) · [\d.]+(?: · (.*))?\n(\d+)/gm),
  ];
  expect(headers).toHaveLength(value.sections.length);
  for (const [index, { path, lines, best, section, heading, wholeFile }] of value.sections.entries()) {
    const where = `${query}: ${path}:${lines.start}-${lines.end}`;
    const all = readFileSync(join(vault, path.slice('vault/'.length)), 'utf8')
      .replace(/\n$/, '')
      .split('\n');
    const shown = new Set(
      all.slice(lines.start - 1, lines.end).map((line) => line.replace(/^#* */, '').trim()),
    );
    const hidden = heading.split(' › ').filter((name) => name !== '' && !shown.has(name));
    expect([where, ...(headers[index]?.slice(1, 6) ?? [])]).toEqual([
      where,
      path,
      String(lines.start),
      String(lines.end),
      hidden.length === 0 ? undefined : hidden.join(' › '),
      String(lines.start),
    ]);
    const [top, bottom] = [bodyStart(all), all.length];
    /** Whether all lines of a range are shown with their context, which may be shorter only at the ends of the file. */
    const isShown = (first: number, last: number): boolean =>
      (lines.start <= first - context || all.slice(top - 1, lines.start - 1).every(isBlank)) &&
      (lines.end >= last + context || all.slice(lines.end, bottom).every(isBlank)) &&
      lines.start <= first &&
      lines.end >= last;
    expect([where, isShown(best, best)]).toEqual([where, true]);
    const trimmed = (first: number, last: number): [number, number] => {
      // Frontmatter is a passage by itself.
      let [from, to] = best < top ? [first, Math.min(last, top - 1)] : [Math.max(first, top), last];
      while (isBlank(all[from - 1] ?? '') && from < to) from += 1;
      while (isBlank(all[to - 1] ?? '') && to > from) to -= 1;
      return [from, to];
    };
    const headings = headingsOf(all);
    const above =
      [...headings.keys()].findLast((line) => line <= best && line >= section.start) ?? section.start;
    const below = [...headings.keys()].find((line) => line > best) ?? section.end + 1;
    for (const [first, last] of [
      trimmed(section.start, section.end),
      trimmed(above, Math.min(section.end, below - 1)),
    ])
      if (tokensOf(all.slice(first - 1, last)) <= 250)
        expect([where, isShown(first, last)]).toEqual([where, true]);
    const nearest = [...headings].findLast(([line]) => line <= best)?.[1];
    if (nearest !== undefined)
      expect([where, ` › ${heading}`.endsWith(` › ${nearest}`)]).toEqual([where, true]);
    if (wholeFile) expect([where, isShown(...trimmed(top, bottom))]).toEqual([where, true]);
    if (best >= top) expect([where, lines.start >= top]).toEqual([where, true]);
  }
  return value.sections.length;
}

describe('every search result', () => {
  it.each([0, 3, 10])(
    'shows its complete passage under a correct header in the demonstration vault, with %i lines above and below',
    async (context) => {
      const vault = 'packages/vault/demo/vault';
      const keepsake = await open(vault);
      let results = 0;
      for (const query of demoQueries) results += await check(keepsake, vault, { query }, context);
      expect(results).toBeGreaterThan(60);
    },
  );

  it('has headers that take at most 12% of its characters in the demonstration vault', async () => {
    const run = (await open('packages/vault/demo/vault')).readRun('model');
    const texts = await Promise.all(
      demoQueries.map(
        async (query) => formatSearchResult(await run.search({ queries: [query], mode: 'fast' })).text,
      ),
    );
    const lines = texts.flatMap((text) => text.split('\n'));
    const headers = lines.filter((line) => /^```./.test(line));
    const count = (all: readonly string[]): number => all.reduce((sum, { length }) => sum + length + 1, 0);
    console.log(`headers of results: ${((100 * count(headers)) / count(lines)).toFixed(1)}%`);
    expect(headers.length).toBeGreaterThan(60);
    expect(count(headers) / count(lines)).toBeLessThanOrEqual(0.12);
  });

  it.for([
    { set: 'piaf', context: 3 },
    { set: 'locomo', context: 3 },
    { set: 'piaf', context: 10 },
    { set: 'locomo', context: 0 },
  ])(
    'shows its complete passage under a correct header for 100 questions of $set, with $context lines above and below',
    { timeout: 240_000 },
    async ({ set, context }, { skip }) => {
      const data = findRetrievalData(set);
      if ('missing' in data) return skip(data.missing);
      const vault = join(data.folder, 'vault');
      const keepsake = await open(vault);
      let results = 0;
      for (const question of questionsOf(data.folder, 100))
        results += await check(keepsake, vault, question, context);
      expect(results).toBeGreaterThan(200);
    },
  );
});
