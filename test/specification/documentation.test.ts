import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../room-vault.ts';
import { runCommand } from '../run-command.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { exampleVault, statePath } from './example-vault.ts';
import { searchVault } from './search-vault.ts';

const page = (path: string): string => readFileSync(path, 'utf8');

/** The sections below the headings of level 2, with their headings; what is above the first is left out. */
function sectionsOf(path: string): { heading: string; text: string }[] {
  const withoutFences = page(path).replaceAll(/^(`{3,})[^]*?^\1$/gm, '');
  return withoutFences
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ heading: part.split('\n')[0] ?? '', text: part.replaceAll(/\s+/g, ' ') }));
}

function sectionOf(path: string, heading: string): string {
  const found = sectionsOf(path).find((section) => section.heading === heading);
  return (found ?? expect.unreachable(`${path} has no section ${heading}`)).text;
}

/** The cells of the table rows of a page whose first cell is code, by that cell. */
const rowsOf = (path: string): string[][] =>
  [...page(path).matchAll(/^\| `([^|`]+)` \|(.*)\|$/gm)].map(([, first = '', rest = '']) => [
    first,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);

const searchPage = 'docs/search.md';
const toolPages = globSync('docs/tools/*.md').filter((path) => !path.endsWith('README.md'));
const frenchToolPages = globSync('docs/fr/tools/*.md').filter((path) => !path.endsWith('README.md'));
const furtherFeatures = [
  ...[searchPage, 'docs/upkeep.md', ...toolPages].map((path) => ({ path, heading: 'Further features' })),
  ...['docs/fr/search.md', ...frenchToolPages].map((path) => ({ path, heading: 'Features supplémentaires' })),
].map(({ path, heading }) => ({ path, text: sectionOf(path, heading) }));

/** The paths that a search for a word finds. */
async function find(word: string, files: Record<string, string>): Promise<string[]> {
  const { value } = await searchVault({ queries: [word], limit: 50 }, files);
  return value.sections.map(({ path }) => path.slice('vault/'.length));
}

describe('the documentation of tools', () => {
  it('C7 does not list all-* scopes as a further feature', () => {
    expect(furtherFeatures.length).toBeGreaterThan(20);
    expect(furtherFeatures.filter(({ text }) => /\ball-(?:\*|\w)/.test(text))).toEqual([]);
  });

  it('C8 describes the date filter in search.md, and not in tools/search.md', () => {
    expect(sectionOf(searchPage, 'Further features')).toContain('**Filtering by date**');
    for (const path of ['docs/tools/search.md', 'docs/fr/tools/search.md'])
      expect(page(path)).not.toMatch(/date_?from|date_?to|--from|--to\b|by date|par date/i);
  });

  it('C11 ends each tool page with a section of further features', () => {
    expect(toolPages).toHaveLength(10);
    expect(frenchToolPages).toHaveLength(10);
    for (const path of toolPages)
      expect([path, sectionsOf(path).at(-1)?.heading]).toEqual([path, 'Further features']);
    for (const path of frenchToolPages)
      expect([path, sectionsOf(path).at(-1)?.heading]).toEqual([path, 'Features supplémentaires']);
  });

  it('C12 lists there what does not exist yet', async () => {
    const vault = await roomVault(exampleVault);
    const listed = (tool: string): string => sectionOf(`docs/tools/${tool}.md`, 'Further features');
    expect(listed('read')).toContain('A heading in a path, `"vault/changelog.md#2025-07-14"`');
    expect(await vault.text('read', { paths: 'vault/changelog.md#2025-07-14' })).toMatch(/^error: /);
    expect(listed('search')).toContain('Scopes that exclude something');
    const scopes = ['!projects/**'];
    expect(await vault.text('search', { queries: ['actif'], scopes })).toContain(
      'no files match scope !projects/**',
    );
    expect(listed('edit')).toContain('Several edits of one file in one call');
    const edits = [{ old: '8  | actif', new: 'en pause' }];
    expect((await vault.call('edit', { path: statePath, edits })).kind).toBe('refused');
    expect(listed('tree')).toContain('Filtering by name or date');
    expect((await vault.call('tree', { filter: '*.md' })).kind).toBe('refused');
    expect(listed('concat')).toContain('Images in the document');
    const outcome = await vault.call('concat', {
      files: [{ path: 'projects/startup-x/bucket/maquette.png' }],
    });
    expect(outcome).toMatchObject({ kind: 'result', result: { images: [] } });
  });

  it('C13 has no page of its own for QMD', () => {
    const pages = globSync('docs/**/*.md').filter((path) => !path.includes('node_modules'));
    expect(pages.filter((path) => /qmd/i.test(path) && !path.startsWith('docs/adr/'))).toEqual([]);
    const explaining = pages.filter(
      (path) => /^#+ .*qmd/im.test(page(path)) && !path.startsWith('docs/adr/'),
    );
    expect(explaining.toSorted()).toEqual(['docs/fr/search.md', searchPage]);
  });

  it('C19 keeps tools/search.md light: how an agent uses the tool, and nothing below it', () => {
    const words = (path: string): number => page(path).split(/\s+/).length;
    expect(words('docs/tools/search.md')).toBeLessThan(1_400);
    expect(words('docs/tools/search.md')).toBeLessThan(words(searchPage) / 2);
    expect(page('docs/tools/search.md')).not.toMatch(/qmd|bm25|fts5|sqlite|\bvectors?\b|rerank/i);
    expect(page('docs/tools/search.md')).toContain('[search.md](../search.md)');
  });

  it('C23 has the image tokenizer, by format and resolution, as a further feature of the background job', () => {
    const text = sectionOf('docs/upkeep.md', 'Further features');
    expect(text).toContain('Not built yet:');
    expect(text).toMatch(/\*\*Image tokenizer: [^*]+\*\*.*\bformat and resolution\b/);
    expect(page('docs/upkeep.md').replaceAll(/\s+/g, ' ')).toContain('Upkeep is the background job');
  });
});

describe('search.md', () => {
  const qmd = (): string => sectionOf(searchPage, 'QMD, the index');

  it('C14 explains how QMD works: full text, contents by hash, one file', () => {
    expect(qmd()).toContain('one SQLite file with a full-text index (FTS5, stemmed, accents ignored)');
    expect(qmd()).toContain('contents by hash');
    expect(qmd()).toContain('a runtime for local language models');
  });

  it('C15 explains the chunking, by break points and by kind of file', () => {
    const text = sectionOf(searchPage, 'Chunks: the indexed unit');
    expect(text).toContain("with QMD's scores: H1 100, H2 90, H3 80");
    for (const row of [
      '| `tasks.md` | one per task (H1)',
      '| `changelog.md` | one per day (H1)',
      '| `state.md`, `description.md`',
    ])
      expect(text).toContain(row);
    expect(text).toContain('| bucket items | one or several by size, frontmatter included |');
  });

  it('C16 explains the mode by words (BM25) and the whole pipeline', () => {
    expect(sectionOf(searchPage, 'fast: by words')).toMatch(/FTS5 returns the best chunks .*\(BM25\)/);
    const deep = sectionOf(searchPage, 'deep: by meaning');
    for (const step of ['**Expansion**', '**vectors**', '**Fusion.**', '**Reranking**'])
      expect(deep).toContain(step);
  });

  it('C17 explains incremental indexing', () => {
    const text = sectionOf(searchPage, 'Incremental indexing');
    expect(text).toContain('A change made through Keepsake is indexed before its commit returns.');
    expect(text).toContain('Only changed chunks are indexed and embedded again');
    expect(text).toContain('There is no full re-scan of contents.');
  });

  it('C18 says what is indexed and what is not', () => {
    const text = sectionOf(searchPage, 'What is indexed');
    expect(text).toContain('| Indexed | Not indexed |');
    expect(text).toMatch(/\| every markdown file of the vault \| `overview\.md`, `tree\.md`, `profile\.md`:/);
    expect(text).toContain('`inbox/`: temporary');
  });

  it('C27 covers the whole component, from the index to the answer', () => {
    expect(sectionsOf(searchPage).map(({ heading }) => heading)).toEqual([
      'QMD, the index',
      'Chunks: the indexed unit',
      'What is indexed',
      'fast: by words',
      'deep: by meaning',
      'Incremental indexing',
      'How results are returned',
      'The concat engine',
      'The format of an answer',
      'Measuring',
      'Further features',
    ]);
    expect(sectionsOf('docs/fr/search.md')).toHaveLength(sectionsOf(searchPage).length);
    for (const { heading, text } of sectionsOf(searchPage))
      expect([heading, text.length > 400]).toEqual([heading, true]);
  });

  it('C28 says what QMD is', () => {
    expect(qmd()).toContain('[QMD](https://github.com/tobi/qmd) is a local search engine for markdown');
  });

  it('C29 says how QMD is installed and configured', () => {
    expect(qmd()).toContain('**Installation**: the build bundles QMD');
    expect(qmd()).toContain('is installed by `keepsake models setup` only');
    expect(qmd()).toContain('**Configuration**: none.');
  });

  it('C30 names its three modes, and which of them are offered', () => {
    expect(qmd()).toContain('QMD has `search` (words), `vsearch` (vectors) and `query` (both,');
    expect(qmd()).toMatch(
      /\*\*fast\*\*, which corresponds to `search`, and \*\*deep\*\*, which corresponds to `query`/,
    );
  });
});

describe('the date filter of search.md', () => {
  const text = (): string => sectionOf(searchPage, 'Further features');

  it('C51 explains the behaviour for changelogs and for other files', async () => {
    expect(text()).toContain('In a changelog a chunk has the date of its day');
    expect(text()).toContain('so `--from` finds the days since then, not the whole file');
    expect(text()).toMatch(
      /in any other file a chunk has the property `date` of the note, otherwise .* the `updated` stamp/,
    );
    const { folder, state, keepsake } = await temporaryVault(exampleVault);
    await keepsake.close();
    const found = async (...dates: string[]): Promise<string> =>
      (await runCommand(['find', 'client', '--vault', folder, '--state', state, ...dates])).out;
    expect(await found('--to', '2025-03-31')).toContain('Le client pilote a signé.');
    const later = await found('--from', '2025-07-14');
    expect(later).toContain('Specs reçues du client v2.1');
    expect(later).not.toContain('Le client pilote a signé.');
  });

  it('C52 names the accepted format', async () => {
    expect(text()).toContain('Dates are written `2025-07-14`; both ends are included');
    const { folder, state, keepsake } = await temporaryVault(exampleVault);
    await keepsake.close();
    const find14 = (date: string) =>
      runCommand(['find', 'client', '--vault', folder, '--state', state, '--from', date]);
    expect((await find14('2025-07-14')).code).toBe(0);
    const refused = await find14('14/07/2025');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('14/07/2025');
  });

  it('C53 names what the filter is used for', () => {
    expect(text()).toContain(
      'Uses: what was decided this month, what changed since a meeting, what a project looked like before a date.',
    );
  });

  it('C54 has the different output of MCP and the web interface as a further feature', () => {
    expect(text()).toMatch(/\*\*Different output for MCP and web\.\*\*.*links and collapsible blocks/);
    expect(text()).toContain('a more programmatic MCP format');
  });
});

describe('the vault and what remains to be done', () => {
  it('C39 has a table of what is searched, and search finds exactly that', async () => {
    const rows = rowsOf('docs/vault.md').filter(
      ([, , , searched]) => searched === 'yes' || searched === 'no',
    );
    expect(rows).toHaveLength(14);
    const files = Object.fromEntries(rows.map(([path = '']) => [path, `# Zebra\n\nThe zebra of ${path}.\n`]));
    const found = new Set(await find('zebra', files));
    expect(Object.fromEntries(rows.map(([path = '']) => [path, found.has(path) ? 'yes' : 'no']))).toEqual(
      Object.fromEntries(rows.map(([path = '', , , searched = '']) => [path, searched])),
    );
    expect(await find('zebra', { 'overview.md': 'zebra\n', 'tree.md': 'zebra\n' })).toEqual([]);
  });

  it('C55 has one page for the decisions and one for all that remains', () => {
    const roadmap = page('docs/roadmap.md').replaceAll(/\s+/g, ' ');
    expect(roadmap).toMatch(/the list of everything that remains/);
    expect(roadmap).toContain('the "Further features" of each [tool page](tools/README.md)');
    // Built since, so they no longer remain.
    expect(roadmap).not.toMatch(
      /`setup` command|`today` command|Forgetting:|Identity of every client|are masked for/,
    );
    for (const open of ['macOS', 'Windows', 'ChatGPT', 'hosted model', 'tokenizer', 'French'])
      expect(roadmap).toContain(open);
    const decisions = page('docs/decisions.md');
    for (const decision of [
      '`edit` locates lines by number',
      'paths with wildcards',
      '`date_from` and `date_to`',
      'Features supplémentaires',
      'No separate QMD page',
      'Images are stored in a bucket',
      '`tree` has no `metadata`',
    ])
      expect(decisions).toContain(decision);
    const rows = (path: string): number => (page(path).match(/^(?:\||-) /gm) ?? []).length;
    expect(rows('docs/fr/roadmap.md')).toBe(rows('docs/roadmap.md'));
    expect(rows('docs/fr/decisions.md')).toBe(rows('docs/decisions.md'));
  });

  it('C56 has vault.md, which says of each file what it is for and whether it is searched', () => {
    expect(page('docs/vault.md')).toContain('| File | What it is | Who writes it | Searched |');
    const rows = rowsOf('docs/vault.md').map(([path = '', , , searched = '']) => `${path} ${searched}`);
    for (const row of [
      'overview.md no',
      'tree.md no',
      'tasks.md yes',
      'changelog.md yes',
      'projects/startup-x/state.md yes',
      'projects/startup-x/bucket/specs.md yes',
    ])
      expect(rows).toContain(row);
  });
});
