import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentVault, looking } from '../agents/agent-vault.ts';
import { connectStdio, textOf } from '../mcp/clients.ts';
import { mcpVault } from '../mcp/mcp-vault.ts';
import { roomVault } from '../room-vault.ts';
import { runCommand } from '../run-command.ts';
import { laidOut, temporaryVault } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { departs } from './departs.ts';
import { bucketPath, changelogPath, exampleVault, note, png, statePath } from './example-vault.ts';
import { openInterfaces, openMcp } from './interfaces.ts';
import { searchVault } from './search-vault.ts';
import type { Search } from './search-vault.ts';

const search = (input: Search, files: Files = exampleVault) => searchVault(input, files);

const pathsOf = ({ value }: Awaited<ReturnType<typeof search>>): string[] =>
  value.sections.map(({ path }) => path);

/** The lines of the chunk in which the best result for a word is, as `first-last`. */
async function chunkOf(word: string, path: string, content: string): Promise<string> {
  const { value } = await search({ queries: [word] }, { [path]: content });
  const { section } = value.sections[0] ?? expect.unreachable(word);
  return `${section.start}-${section.end}`;
}

/** Lines of ten tokens, of which the first contains a word. */
const paragraph = (word: string, count: number): string =>
  `${word} ${'x'.repeat(38 - word.length)}\n${`${'word '.repeat(7)}end\n`.repeat(count - 1)}`;

async function describeTool(name: string) {
  const client = await connectStdio(await mcpVault(), 'modern');
  const tool = (await client.listTools()).tools.find((each) => each.name === `vault_${name}`);
  return {
    description: tool?.description ?? '',
    parameters: Object.keys(tool?.inputSchema.properties ?? {}),
  };
}

describe('read and edit', () => {
  it('C1 both use line numbers: the number says which of two equal lines is edited', async () => {
    const { callMcp, folder } = await openMcp({ 'bucket/a.md': 'same\nother\nsame\n' });
    expect(textOf(await callMcp('vault_read', { paths: 'bucket/a.md' }))).toContain('\n3  | same\n');
    await callMcp('vault_edit', { path: 'bucket/a.md', old: '3  | same', new: 'changed' });
    expect(readFileSync(join(folder, 'bucket/a.md'), 'utf8')).toMatch(/same\nother\nchanged\n$/);
  });

  it('C2 read always returns numbered lines, at every interface', async () => {
    const { callEverywhere } = await openInterfaces(exampleVault);
    for (const options of [{}, { head: 30 }, { tail: 30 }]) {
      const texts = await callEverywhere('read', { paths: statePath, ...options });
      expect(Object.keys(texts)).toHaveLength(4);
      for (const text of Object.values(texts)) {
        const rows = text.split('\n').slice(1, -1);
        expect(rows.length).toBeGreaterThan(1);
        expect(rows.filter((row) => !/^\d\d? *\|( .*)?$/.test(row))).toEqual([]);
      }
    }
  });

  it('C3 edit locates lines by number, removes the numbers and replaces only text in the file', async () => {
    const { callMcp, folder } = await openMcp({ 'bucket/a.md': 'one\ntwo\n2024 | three\n' });
    await callMcp('vault_read', { paths: 'bucket/a.md' });
    const edit = { path: 'bucket/a.md', old: '1  | one\n2  | two', new: '1  | eins\n2  | zwei' };
    expect((await callMcp('vault_edit', edit)).isError ?? false).toBe(false);
    expect(readFileSync(join(folder, 'bucket/a.md'), 'utf8')).toMatch(/eins\nzwei\n2024 \| three\n$/);
    expect(readFileSync(join(folder, 'bucket/a.md'), 'utf8')).not.toContain('1  |');
  });
});

describe('scopes of search', () => {
  it('C4 are no predefined names: project:startup-x and all-states match no file', async () => {
    for (const scope of ['project:startup-x', 'all-states']) {
      const { text, value } = await search({ queries: ['actif'], scopes: [scope] });
      expect(value.sections).toEqual([]);
      expect(text).toContain(`note: no files match scope ${scope}`);
    }
    expect((await search({ queries: ['actif'] })).value.sections.length).toBeGreaterThan(0);
  });

  it('C5 are paths: projects/startup-x/ is one project', async () => {
    const everything = pathsOf(await search({ queries: ['actif'] }));
    expect(everything.toSorted()).toEqual(['vault/projects/appart-search/state.md', statePath]);
    for (const scope of ['projects/startup-x/', 'vault/projects/startup-x/'])
      expect(pathsOf(await search({ queries: ['actif'], scopes: [scope] }))).toEqual([statePath]);
  });

  it('C6 have wildcards: projects/*/state.md are the states of all projects', async () => {
    const files = { ...exampleVault, 'state.md': 'actif\n', 'projects/startup-x/old/state.md': 'actif\n' };
    for (const scope of ['projects/*/state.md', 'vault/projects/*/state.md'])
      expect(pathsOf(await search({ queries: ['actif'], scopes: [scope] }, files)).toSorted()).toEqual([
        'vault/projects/appart-search/state.md',
        statePath,
      ]);
  });
});

describe('dates in search', () => {
  it('C9 are no parameters of the tool for agents', async () => {
    const { parameters } = await describeTool('search');
    expect(parameters.toSorted()).toEqual(['limit', 'queries', 'run', 'scopes']);
    const vault = await roomVault(exampleVault);
    for (const key of ['date_from', 'date_to']) {
      const outcome = await vault.call('search', { queries: ['actif'], [key]: '2025-01-01' });
      expect(outcome).toEqual({
        kind: 'refused',
        message: `error: search: does not accept "${key}"; remove it`,
      });
    }
  });

  it('C10 filter for people only; for agents they remain a further feature', async () => {
    const { folder, state, keepsake } = await temporaryVault(exampleVault);
    await keepsake.close();
    const find = async (...options: string[]): Promise<string[]> => {
      const place = ['--vault', folder, '--state', state];
      const { code, out } = await runCommand(['find', 'projet', '--paths', ...place, ...options]);
      return [`${code}`, ...out.split('\n').filter((line) => line.includes('changelog.md'))];
    };
    const [code, ...all] = await find();
    expect([code, all.length]).toEqual(['0', 2]);
    expect(await find('--to', '2025-03-31')).toEqual([
      '0',
      expect.stringContaining('startup-x/changelog.md'),
    ]);
    expect(await find('--from', '2025-03-04', '--to', '2025-07-13')).toEqual(['1']);
    expect(readFileSync('docs/search.md', 'utf8')).toContain(
      '**Filtering by date**, for people, not for agents:',
    );
  });
});

describe('images', () => {
  it('C20 are in a bucket like any file: listed, moved and deleted', async () => {
    const { callMcp, folder } = await openMcp({ 'projects/a/bucket/x.png': png });
    expect(textOf(await callMcp('vault_tree', {}))).toMatch(/x\.png +\[1 · /);
    await callMcp('vault_move', { from: 'projects/a/bucket/x.png', to: 'bucket/x.png' });
    expect(readFileSync(join(folder, 'bucket/x.png'))).toEqual(png);
    await callMcp('vault_delete', { path: 'bucket/x.png' });
    expect(existsSync(join(folder, 'bucket/x.png'))).toBe(false);
  });

  it('C21 are detected by read itself, from their content', async () => {
    const vault = await roomVault({ 'i/real.jpg': png, 'i/text.png': 'only text\n', 'i/note.md': 'note\n' });
    const outcome = await vault.call('read', { paths: 'vault/i/' });
    if (outcome.kind === 'refused') return expect.unreachable(outcome.message);
    const { images, text } = outcome.result;
    expect(images).toEqual([{ path: 'vault/i/real.jpg', mediaType: 'image/png', data: png }]);
    expect(text).toContain('```vault/i/note.md\n1  | note\n```');
    expect(text).toMatch(/^note: vault\/i\/text\.png: .*not a PNG/m);
  });

  it('C22 are not converted to text: search knows their names, and concat the line that names them', async () => {
    const { text, value } = await search({ queries: ['maquette'], scopes: ['projects/*/bucket/'] });
    expect(value.sections).toMatchObject([{ path: `${bucketPath}maquette.png`, wholeFile: true }]);
    expect(text).toContain(`\n[image ${bucketPath}maquette.png · png · 1×1]\n`);
    const vault = await roomVault(exampleVault);
    expect(await vault.text('concat', { files: [{ path: `${bucketPath}maquette.png` }] })).toBe(
      `\`\`\`${bucketPath}maquette.png\n[image ${bucketPath}maquette.png · png · 1×1]\n\`\`\``,
    );
  });
});

describe('tree', () => {
  it('C24 has no parameter metadata', async () => {
    expect((await describeTool('tree')).parameters.toSorted()).toEqual(['depth', 'path', 'run']);
    const vault = await roomVault(exampleVault);
    expect(await vault.call('tree', { metadata: true })).toEqual({
      kind: 'refused',
      message: 'error: tree: does not accept "metadata"; remove it',
    });
  });

  it('C25 shows the name, tokens and date of each file, always and only, also in the context of the agents', async () => {
    const vault = await roomVault(exampleVault);
    const rows = (await vault.text('tree', {})).split('\n');
    expect(
      rows.filter((row) => !/^[│├└─ ]*\S+ +\[[\d.]+k? · \d{4}-\d\d-\d\d \d\d:\d\d\]$/.test(row)),
    ).toEqual([]);
    expect(rows.find((row) => row.includes('description.md'))).toMatch(
      /^ *│? *├── description\.md +\[11 · 2025-07-14 18:30\]$/,
    );
    const long = note(['word '.repeat(6_400)], { updated: '2025-07-12T09:00:00' });
    const agents = await agentVault({ ...exampleVault, 'notes/long.md': long });
    agents.model.script(looking, { text: 'Nothing.\nFound: no' });
    await agents.keepsake.agents.ask('What?', new AbortController().signal);
    const context = agents.model.requests[0]?.userTexts.join('\n') ?? '';
    // Rounded, so that the providers of models can cache the list.
    expect(context).toMatch(/ description\.md +\[100 · 2025-07-14\]\n/);
    expect(context).toMatch(/ long\.md +\[8k · 2025-07-12\]\n/);
  });

  it('C26 is one function for the tool and for tree.md', async () => {
    const { folder, state, keepsake } = await temporaryVault({ ...exampleVault, ...laidOut });
    const input = { path: 'bucket/new.md', content: 'text' };
    await keepsake.callTool({ tool: 'write', input, reader: 'person', origin: 'test' });
    await keepsake.close();
    const printed = (await runCommand(['tree', '--vault', folder, '--state', state])).out.trim().split('\n');
    const file = readFileSync(join(folder, 'tree.md'), 'utf8');
    const written = /```text\n([^]*?)\n```/.exec(file)?.[1]?.split('\n');
    const isOther = (row: string): boolean => !/^vault\/|[├└]── (?:tree\.md|)\s/.test(row);
    const normal = (row: string): string => row.replace(/ +\[/, ' [');
    expect(written?.filter(isOther).map(normal)).toEqual(
      printed.filter((row) => isOther(row) && !row.includes(' tree.md ')).map(normal),
    );
    expect(file).toContain('new.md');
  });
});

describe('modes and chunks', () => {
  it('C31 are fast, by words, and deep, by meaning, but neither is a function of QMD', async () => {
    const vault = await roomVault(exampleVault);
    const query = { queries: ['abandon API'] };
    const fast = await vault.text('search', { ...query, mode: 'fast' });
    expect(await vault.text('search', query)).toBe(fast);
    // Without an embedding model, deep finds the same and says why.
    expect(await vault.text('search', { ...query, mode: 'deep' })).toMatch(
      /^note: .*no embedding model in this test/m,
    );
    await expect(vault.text('search', { ...query, mode: 'vsearch' })).rejects.toThrow('search.mode');
    // The search of QMD requires every word in one file and returns whole files.
    const { value } = await search({
      queries: ['abandon API externe fournisseur zèbre'],
      scopes: ['projects/'],
    });
    expect(value.sections[0]).toMatchObject({ path: changelogPath, wholeFile: false });
    departs('C31', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('C32 end a chunk at the heading with the highest score: 100 for H1, 90 for H2', async () => {
    const [before, between, after] = [paragraph('alpha', 70), paragraph('beta', 7), paragraph('gamma', 40)];
    expect(await chunkOf('alpha', 'a.md', `${before}# H1\n${between}## H2\n${after}`)).toBe('1-70');
    expect(await chunkOf('alpha', 'a.md', `${before}## H2\n${between}# H1\n${after}`)).toBe('1-78');
    expect(await chunkOf('alpha', 'a.md', `${before}## H2\n${between}### H3\n${after}`)).toBe('1-70');
    const page = readFileSync('docs/search.md', 'utf8');
    expect(page).toContain('H1 100, H2 90,');
  });

  it('C33 of a changelog are its days; a dense day is split at its entries', async () => {
    const entry = (name: string, count: number): string => `## ${name}\n${paragraph(name, count)}\n`;
    const dense = `# 2025-07-14\n\n${entry('wombat', 40)}${entry('narval', 40)}${entry('ocelot', 40)}`;
    const short = `# 2025-07-13\n\n${entry('tapir', 2)}${entry('lynx', 2)}`;
    const changelog = `${dense}${short}`;
    const rows = changelog.split('\n');
    const lineOf = (text: string): number => rows.indexOf(text) + 1;
    const [narval, ocelot, day] = ['## narval', '## ocelot', '# 2025-07-13'].map(lineOf) as [
      number,
      number,
      number,
    ];
    expect(await chunkOf('narval', 'projects/x/changelog.md', changelog)).toBe(`${narval}-${ocelot - 1}`);
    const last = rows.length - 1;
    for (const word of ['tapir', 'lynx'])
      expect(await chunkOf(word, 'projects/x/changelog.md', changelog)).toBe(`${day}-${last}`);
  });

  it('C34 of tasks are one per task', async () => {
    const tasks = '# Fennec\nstatus: open\n\n# Gecko\nstatus: open\ndetails\n\n# Ibis\nstatus: open\n';
    const chunks = ['fennec', 'gecko', 'ibis'].map((word) => chunkOf(word, 'projects/x/tasks.md', tasks));
    expect(await Promise.all(chunks)).toEqual(['1-3', '4-7', '8-9']);
  });

  it('C35 of a short file such as state.md are one: the whole file', async () => {
    const state = '## Status\nactive\n\n## Focus\nthe zebra\n\n## Blocked\nthe okapi\n';
    for (const word of ['active', 'zebra', 'okapi'])
      expect(await chunkOf(word, 'projects/x/state.md', state)).toBe('1-8');
  });

  it('C36 of a bucket item are one or several by its size, frontmatter included', async () => {
    const { text, value } = await search({ queries: ['Barnabé'] });
    expect(value.sections).toMatchObject([{ path: `${bucketPath}specs.md`, section: { start: 2, end: 6 } }]);
    expect(text).toContain('\n1  | ---\n2  | source: courriel du client Barnabé\n');
    const long = `---\nsource: zebra\n---\n\n# One\n${paragraph('okapi', 60)}\n# Two\n${paragraph('tapir', 60)}`;
    expect(await chunkOf('zebra', 'bucket/long.md', long)).toBe('2-66');
    expect(await chunkOf('tapir', 'bucket/long.md', long)).toBe('67-127');
  });
});

describe('results of search', () => {
  const long = `# Title\n\n${Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of the text.\n`).join('\n')}`;
  const withWord = long.replace('Paragraph 30 of', 'Paragraph okapi of');

  it('C40 are always passages of a chunk, never a long file', async () => {
    const { value } = await search({ queries: ['okapi'] }, { 'a.md': withWord });
    const [{ lines, section, best, wholeFile } = expect.unreachable('nothing was found')] = value.sections;
    expect(lines.start).toBeGreaterThanOrEqual(section.start);
    expect(lines.end).toBeLessThanOrEqual(section.end);
    expect(lines.end - lines.start).toBeLessThan(10);
    expect([best, wholeFile]).toEqual([63, false]);
    const page = readFileSync('docs/search.md', 'utf8');
    expect(page).toContain('So the answer to "a chunk or a file?" is: always a passage of a chunk.');
  });

  it('C41 say whether they are the whole file', async () => {
    const { text, value } = await search(
      { queries: ['okapi'] },
      {
        'short.md': 'okapi\n',
        'notes/long.md': withWord,
        'notes/wide.md': `okapi\n${'word '.repeat(2_000)}\n`,
      },
    );
    const isWhole = Object.fromEntries(value.sections.map(({ path, wholeFile }) => [path, wholeFile]));
    expect(isWhole).toEqual({
      'vault/short.md': true,
      'vault/notes/long.md': false,
      'vault/notes/wide.md': false,
    });
    const headers = text.split('\n').filter((row) => row.startsWith('```vault'));
    for (const header of headers) expect(header.includes('the whole file')).toBe(header.includes('short.md'));
  });

  it('C42 have three lines above and below the passage, which may be less than its chunk', async () => {
    const items = Array.from({ length: 120 }, (_, index) => `- Item ${index + 1} of the list\n`);
    const list = items.join('').replace('Item 62', 'The okapi');
    const { text, value } = await search({ queries: ['okapi'] }, { 'a.md': list });
    expect(value.sections).toMatchObject([
      { best: 62, lines: { start: 59, end: 65 }, section: { start: 1, end: 120 }, wholeFile: false },
    ]);
    expect(text).toMatch(/^```vault\/a\.md \(lines 59-65\) · [\d.]+\n59 \| - Item 59 of the list\n/);
    departs('C42', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('C43 are enough to reason and to edit without a read', async () => {
    const { callMcp, folder } = await openMcp(exampleVault);
    const found = textOf(await callMcp('vault_search', { queries: ['prestataire livrer juin'] }));
    const entry = [
      "9  | ## [décision] Abandon de l'API externe",
      '10 | Le prestataire ne peut pas livrer avant juin. Notre deadline est mars.',
      "11 | Impact : tâches d'intégration supprimées, nouvelles tâches backend créées.",
    ];
    expect(found).toContain(entry.join('\n'));
    const line = 'Le prestataire ne peut pas livrer avant juin. Notre deadline est mars.';
    const edit = { path: changelogPath, old: `10 | ${line}`, new: `${line} Confirmé.` };
    expect((await callMcp('vault_edit', edit)).isError ?? false).toBe(false);
    expect(readFileSync(join(folder, 'projects/startup-x/changelog.md'), 'utf8')).toContain(
      'mars. Confirmé.\n',
    );
  });
});
