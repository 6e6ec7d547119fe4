import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../mcp/clients.ts';
import { mcpVault } from '../mcp/mcp-vault.ts';
import { roomVault } from '../room-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { departs } from './departs.ts';
import {
  bucketPath,
  changelogPath,
  exampleVault,
  readExample,
  readExampleVault,
  statePath,
  tasksPath,
} from './example-vault.ts';
import { everywhere, openInterfaces } from './interfaces.ts';

/** The output of `read` for a model. */
async function read(input: object, files: Files = exampleVault): Promise<string> {
  const vault = await roomVault(files);
  return vault.text('read', input);
}

const headersOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (/^```(?=.)/.test(line) ? [line.slice(3)] : []));

/** The numbers of the lines shown, in order. */
const numbersOf = (text: string): number[] =>
  [...text.matchAll(/^(\d+) *\|/gm)].map(([, number]) => Number(number));

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** A text whose lines have these numbers of characters, including the line ending. */
const linesOfLength = (count: number, length: number, character = '.'): string =>
  Array.from({ length: count }, (_, index) => `${String(index + 1).padEnd(length - 1, character)}\n`).join(
    '',
  );

const project = 'vault/projects/startup-x/';

describe('read: paths', () => {
  it('B1 reads files, and the files directly inside folders', async () => {
    expect(headersOf(await read({ paths: [tasksPath, 'vault/bucket/'] }))).toEqual([
      'vault/tasks.md',
      'vault/bucket/facture.md',
    ]);
  });

  it('B2 returns the frontmatter too, with a number before each line', async () => {
    const text = await read(
      { paths: 'vault/a.md' },
      { 'a.md': '---\ncreated: 2025-01-10T10:00:00\n---\n\nText.\n' },
    );
    expect(text).toBe(
      '```vault/a.md\n1  | ---\n2  | created: 2025-01-10T10:00:00\n3  | ---\n4  |\n5  | Text.\n```',
    );
  });

  it('B3 always numbers lines: no parameter removes the numbers', async () => {
    const client = await connectStdio(await mcpVault(exampleVault), 'modern');
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'vault_read');
    const parameters = Object.keys(tool?.inputSchema.properties ?? {});
    expect(parameters.toSorted()).toEqual(['folded', 'head', 'paths', 'run', 'tail']);
    for (const options of [{}, { head: 20 }, { tail: 40 }]) {
      const rows = (await read({ paths: tasksPath, ...options })).split('\n').slice(1, -1);
      expect(rows.filter((row) => !/^\d+ *\|/.test(row))).toEqual([]);
      expect(rows.length).toBeGreaterThan(1);
    }
    expect(readFileSync('docs/tools/read.md', 'utf8')).toMatch(/The numbers are\s+mandatory/);
  });

  it('B4 takes paths, head and tail, of which head and tail may be null', async () => {
    const page = readFileSync('docs/tools/read.md', 'utf8');
    expect(page).toMatch(/\nread\(paths: string \| string\[\], head: int \| null, tail: int \| null\b/);
    const whole = await read({ paths: statePath });
    expect(await read({ paths: statePath, head: null, tail: null })).toBe(whole);
    expect(numbersOf(whole)).toEqual(range(1, 14));
  });

  it('B5 takes one path as text, or a list', async () => {
    const one = await read({ paths: statePath });
    expect(await read({ paths: [statePath] })).toBe(one);
    expect(headersOf(one)).toEqual([statePath]);
  });

  it('B6 reads one file', async () => {
    expect(headersOf(await read({ paths: 'vault/projects/startup-x/state.md' }))).toEqual([statePath]);
  });

  it('B7 reads all files directly inside one folder', async () => {
    const files = ['changelog', 'description', 'state', 'tasks'].map((name) => `${project}${name}.md`);
    expect(headersOf(await read({ paths: 'vault/projects/startup-x/' }))).toEqual(files);
    expect(headersOf(await read({ paths: 'vault/projects/startup-x' }))).toEqual(files);
  });

  it('B8 reads a list of files in its order', async () => {
    const paths = [`${project}tasks.md`, statePath];
    expect(headersOf(await read({ paths }))).toEqual(paths);
  });

  it('B9 reads a list of folders', async () => {
    expect(headersOf(await read({ paths: ['vault/projects/appart-search/', 'vault/bucket/'] }))).toEqual([
      'vault/projects/appart-search/state.md',
      'vault/bucket/facture.md',
    ]);
  });

  it('B10 reads files and folders in one list', async () => {
    expect(headersOf(await read({ paths: [statePath, 'vault/bucket/', tasksPath] }))).toEqual([
      statePath,
      'vault/bucket/facture.md',
      tasksPath,
    ]);
  });

  it('B11 does not read a folder recursively', async () => {
    const files = { 'a/one.md': '1\n', 'a/b/two.md': '2\n', 'a/b/c/three.md': '3\n' };
    expect(await read({ paths: 'vault/a/' }, files)).toBe('```vault/a/one.md\n1  | 1\n```');
    expect(await read({ paths: 'vault/a/b/' }, files)).toBe('```vault/a/b/two.md\n1  | 2\n```');
  });

  it('B12 reads the bucket of a project only by its own path', async () => {
    expect(headersOf(await read({ paths: project }))).not.toContain(`${bucketPath}specs.md`);
    expect(headersOf(await read({ paths: `${project}bucket/` }))).toEqual([`${bucketPath}specs.md`]);
  });
});

describe('read: head and tail', () => {
  it('B13 returns about as many tokens from the start as head says', async () => {
    // Ten tokens a line.
    const text = await read({ paths: 'vault/a.md', head: 100 }, { 'a.md': linesOfLength(50, 40) });
    expect(numbersOf(text)).toEqual(range(1, 10));
    expect(headersOf(text)).toEqual(['vault/a.md (lines 1-10 of 50)']);
  });

  it('B14 counts a token as four characters', async () => {
    const vault = await roomVault({
      'a.md': linesOfLength(50, 40),
      // Two bytes, but one character.
      'b.md': linesOfLength(50, 40, 'é'),
    });
    for (const [head, last] of [
      [39, 3],
      [40, 4],
      [41, 4],
    ] as const)
      for (const paths of ['vault/a.md', 'vault/b.md']) {
        expect(numbersOf(await vault.text('read', { paths, head }))).toEqual(range(1, last));
        expect(numbersOf(await vault.text('read', { paths, tail: head }))).toEqual(range(51 - last, 50));
      }
  });

  it('B15 returns whole lines that fit, but a first or last line over the budget all the same', async () => {
    const vault = await roomVault({ 'a.md': linesOfLength(5, 40) });
    expect(numbersOf(await vault.text('read', { paths: 'a.md', head: 29 }))).toEqual([1, 2]);
    const row = `1${'.'.repeat(38)}`;
    expect(await vault.text('read', { paths: 'a.md', head: 1 })).toBe(
      `\`\`\`vault/a.md (lines 1-1 of 5)\n1  | ${row}\n\`\`\``,
    );
    expect(numbersOf(await vault.text('read', { paths: 'a.md', tail: 1 }))).toEqual([5]);
    departs('B15', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('B16 applies head to each file separately, also to the files of a folder', async () => {
    const files = { 'a/one.md': linesOfLength(20, 40), 'a/two.md': linesOfLength(30, 80) };
    const headers = ['vault/a/one.md (lines 1-4 of 20)', 'vault/a/two.md (lines 1-2 of 30)'];
    expect(headersOf(await read({ paths: ['a/one.md', 'a/two.md'], head: 40 }, files))).toEqual(headers);
    expect(headersOf(await read({ paths: 'a/', head: 40 }, files))).toEqual(headers);
  });

  it('B17 has no limit without head and tail, except that a result for a model ends at 20,000 tokens and names the rest', async () => {
    const vault = await roomVault({ 'a.md': linesOfLength(3_000, 40) });
    expect(numbersOf(await vault.text('read', { paths: 'a.md' }, 'person'))).toEqual(range(1, 3_000));
    const text = await vault.text('read', { paths: 'a.md' });
    const last = numbersOf(text).at(-1) ?? 0;
    expect(numbersOf(text)).toEqual(range(1, last));
    expect(text.length).toBeLessThanOrEqual(80_000);
    expect(text).toContain(`vault/a.md:${last + 1}-3000`);
    const client = await connectStdio(await mcpVault(), 'modern');
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'vault_read');
    expect(tool?.description).toContain('20,000 tokens');
    departs('B17', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('B18 returns about as many tokens from the end as tail says', async () => {
    const text = await read({ paths: 'vault/a.md', tail: 100 }, { 'a.md': linesOfLength(50, 40) });
    expect(numbersOf(text)).toEqual(range(41, 50));
    expect(headersOf(text)).toEqual(['vault/a.md (lines 41-50 of 50)']);
  });

  it('B19 refuses head and tail together', async () => {
    const vault = await roomVault(exampleVault);
    expect(await vault.call('read', { paths: statePath, head: 10, tail: 10 })).toEqual({
      kind: 'refused',
      message: 'error: read: head and tail cannot be used together; pass one of them',
    });
  });
});

describe('read: the output', () => {
  it('B20 is the example of one file byte for byte, at every interface', async () => {
    const { callEverywhere } = await openInterfaces(readExampleVault);
    expect(await callEverywhere('read', { paths: statePath })).toEqual(
      everywhere(readExample('read-one-file')),
    );
  });

  it('B21 is the example of several files byte for byte, at every interface', async () => {
    const state = String(readExampleVault['projects/startup-x/state.md']).split('\n').slice(0, 8);
    const files = { ...readExampleVault, 'projects/startup-x/state.md': `${state.join('\n')}\n` };
    const { callEverywhere } = await openInterfaces(files);
    expect(await callEverywhere('read', { paths: [statePath, `${project}tasks.md`] })).toEqual(
      everywhere(readExample('read-several-files')),
    );
  });

  it('B22 keeps the numbers of the whole file in a partial read', async () => {
    const vault = await roomVault({ 'a.md': linesOfLength(100, 52) });
    const head = await vault.text('read', { paths: 'a.md', head: 500 });
    expect(numbersOf(head)).toEqual(range(1, 38));
    expect(head.split('\n')[1]).toMatch(/^1 {2}\| 1\./);
    expect(head.split('\n')[38]).toMatch(/^38 \| 38\./);
    const tail = await vault.text('read', { paths: 'a.md', tail: 30 });
    expect(numbersOf(tail)).toEqual([99, 100]);
  });
});

describe('read: partial reads of changelogs', () => {
  const days = (count: number): string =>
    Array.from(
      { length: count },
      (_, index) =>
        `# ${new Date(Date.UTC(2025, 6, 14 - index)).toISOString().slice(0, 10)}\n\n## Entry\n${'word '.repeat(20)}\n\n`,
    ).join('');

  it('B29 returns the newest entries of a changelog with head', async () => {
    const text = await read({ paths: 'a/changelog.md', head: 94 }, { 'a/changelog.md': days(100) });
    expect([...text.matchAll(/# (\d{4}-\S+)/g)].map(([, day]) => day)).toEqual([
      '2025-07-14',
      '2025-07-13',
      '2025-07-12',
    ]);
  });

  it('B30 returns the oldest entries of a changelog with tail', async () => {
    const text = await read({ paths: 'a/changelog.md', tail: 94 }, { 'a/changelog.md': days(100) });
    expect([...text.matchAll(/# (\d{4}-\S+)/g)].map(([, day]) => day)).toEqual([
      '2025-04-08',
      '2025-04-07',
      '2025-04-06',
    ]);
  });

  it('B31 returns about the first 1,000 tokens of each of two changelogs', async () => {
    const files = { 'changelog.md': days(80), 'projects/startup-x/changelog.md': days(90) };
    const text = await read({ paths: [changelogPath, 'vault/changelog.md'], head: 1_000 }, files);
    const blocks = text.split('\n\n```');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      expect(block).toContain('# 2025-07-14');
      const rows = block.split('\n').slice(1, -1);
      const characters = rows.join('\n').replaceAll(/^\d+ *\| ?/gm, '').length + 1;
      expect(characters / 4).toBeLessThanOrEqual(1_000);
      expect(characters / 4).toBeGreaterThan(950);
    }
  });

  it('B36 returns the newest entries of a changelog of 8,000 tokens with head 3,000', async () => {
    const text = await read({ paths: 'a/changelog.md', head: 3_000 }, { 'a/changelog.md': days(260) });
    const rows = text.split('\n').slice(1, -1);
    const characters = rows.join('\n').replaceAll(/^\d+ *\| ?/gm, '').length + 1;
    expect(characters / 4).toBeLessThanOrEqual(3_000);
    expect(characters / 4).toBeGreaterThan(2_950);
    expect(rows[0]).toBe('1   | # 2025-07-14');
  });
});
