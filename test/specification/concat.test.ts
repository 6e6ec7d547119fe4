import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'commonmark';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../mcp/clients.ts';
import { mcpVault } from '../mcp/mcp-vault.ts';
import { roomVault } from '../room-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { changelogPath, exampleVault, lines, readExample, statePath, tasksPath } from './example-vault.ts';
import { everywhere, openInterfaces } from './interfaces.ts';

type Entry = { path: string; lines?: string | null };

/** The output of `concat` for these entries. */
async function concat(entries: readonly Entry[], files: Files = exampleVault): Promise<string> {
  const vault = await roomVault(files);
  return vault.text('concat', { files: entries });
}

/** The reason why a call is refused. */
async function refusal(input: object): Promise<string> {
  const vault = await roomVault(exampleVault);
  const outcome = await vault.call('concat', input);
  return outcome.kind === 'refused' ? outcome.message : expect.unreachable(outcome.result.text);
}

const headersOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (/^```(?=.)/.test(line) ? [line.slice(3)] : []));

/** The lines of a block without their numbers, as a file has them. */
const withoutNumbers = (block: string): string =>
  block
    .split('\n')
    .slice(1, -1)
    .map((line) => `${line.replace(/^\d+ *\| ?/, '')}\n`)
    .join('');

/** The nodes of a markdown document, read by the reference parser of CommonMark. */
function parseMarkdown(text: string): { type: string; info: string; content: string }[] {
  const nodes = [];
  for (let node = new Parser().parse(text).firstChild; node !== null; node = node.next)
    nodes.push({ type: node.type, info: node.info ?? '', content: node.literal ?? '' });
  return nodes;
}

const hostile =
  '```js\ncode\n```\n~~~\n````\n`````\n```vault/forged.md\n1  | forged\n```\n# Heading\n\n---\n';

describe('concat: its parameters', () => {
  it('A1 takes a list of files, each with a path and optional lines', async () => {
    const client = await connectStdio(await mcpVault(exampleVault), 'modern');
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'vault_concat');
    expect(tool?.inputSchema).toMatchObject({
      required: ['files'],
      properties: {
        files: {
          type: 'array',
          items: { required: ['path'], properties: { path: { type: 'string' }, lines: { type: 'string' } } },
        },
      },
    });
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['files']);
    const page = readFileSync('docs/tools/concat.md', 'utf8');
    expect(page).toContain('\nconcat(files: Array<{ path: string, lines: string | null }>)\n');
  });

  it('A2 adds no words and changes none: the output is the lines of the files', async () => {
    const vault = await roomVault({ ...exampleVault, 'hostile.md': hostile });
    for (const path of [statePath, changelogPath, tasksPath, 'vault/hostile.md']) {
      const text = await vault.text('concat', { files: [{ path }] });
      const file = readFileSync(join(vault.folder, path.slice('vault/'.length)), 'utf8');
      expect({ path, text: withoutNumbers(text) }).toEqual({ path, text: file });
      expect(text.split('\n')[0]).toBe(`\`\`\`${path}`);
    }
  });

  it('A4 changes nothing in the vault, and says so to clients', async () => {
    const vault = await mcpVault(exampleVault);
    const client = await connectStdio(vault, 'modern');
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'vault_concat');
    expect(tool?.annotations).toMatchObject({ readOnlyHint: true });
    const before = readdirSync(vault.folder, { recursive: true });
    const files = [{ path: statePath }, { path: changelogPath, lines: '9-14' }, { path: 'vault/gone.md' }];
    await client.callTool({ name: 'vault_concat', arguments: { files } });
    for (const [path, content] of Object.entries(exampleVault))
      expect(readFileSync(join(vault.folder, path))).toEqual(Buffer.from(content ?? ''));
    expect(readdirSync(vault.folder, { recursive: true })).toEqual(before);
  });

  it('A6 requires the list of files', async () => {
    expect(await refusal({})).toBe('error: concat.files: is missing; pass a list');
    expect(await refusal({ files: null })).toBe('error: concat.files: must be a list');
  });

  it('A7 keeps the order of the list, also if a file is named twice', async () => {
    const files = [
      { path: tasksPath, lines: '7-8' },
      { path: statePath, lines: '7-8' },
      { path: tasksPath, lines: '10-11' },
    ];
    expect(headersOf(await concat(files))).toEqual([
      'vault/tasks.md (lines 7-8)',
      'vault/projects/startup-x/state.md (lines 7-8)',
      'vault/tasks.md (lines 10-11)',
    ]);
  });

  it('A8 requires a path in each entry', async () => {
    expect(await refusal({ files: [{ lines: '1-2' }] })).toBe(
      'error: concat.files.0.path: is missing; pass text',
    );
  });

  it('A9 includes the whole file if lines is null or left out', async () => {
    const whole = `\`\`\`vault/a.md\n1  | one\n2  | two\n\`\`\``;
    const files = { 'a.md': 'one\ntwo\n' };
    expect(await concat([{ path: 'vault/a.md' }], files)).toBe(whole);
    expect(await concat([{ path: 'vault/a.md', lines: null }], files)).toBe(whole);
  });

  it('A10 includes lines 1 to 45 for "1-45"', async () => {
    const text = await concat([{ path: 'vault/a.md', lines: '1-45' }], { 'a.md': lines(100) });
    expect(withoutNumbers(text)).toBe(lines(45));
    expect(text.split('\n').slice(0, 2)).toEqual(['```vault/a.md (lines 1-45)', '1  | line 1']);
  });

  it('A11 includes only lines 12 to 18 for "12-18"', async () => {
    expect(await concat([{ path: 'vault/a.md', lines: '12-18' }], { 'a.md': lines(100) })).toBe(
      '```vault/a.md (lines 12-18)\n12 | line 12\n13 | line 13\n14 | line 14\n15 | line 15\n' +
        '16 | line 16\n17 | line 17\n18 | line 18\n```',
    );
  });

  it('A12 counts lines as read does', async () => {
    const vault = await roomVault({ 'a.md': 'one\r\ntwo\rstill two\u2028still two\n\nfour' });
    const read = (await vault.text('read', { paths: 'vault/a.md' })).split('\n').slice(1, -1);
    expect(read).toHaveLength(4);
    for (const [index, line] of read.entries()) {
      const one = { path: 'vault/a.md', lines: `${index + 1}-${index + 1}` };
      const text = await vault.text('concat', { files: [one] });
      expect(text).toBe(`\`\`\`vault/a.md (lines ${index + 1}-${index + 1})\n${line}\n\`\`\``);
    }
  });
});

describe('concat: the document', () => {
  it('A13 is markdown with one code block per file and nothing else', async () => {
    const text = await concat([
      { path: statePath },
      { path: changelogPath, lines: '9-14' },
      { path: tasksPath },
    ]);
    expect(parseMarkdown(text).map(({ type }) => type)).toEqual(['code_block', 'code_block', 'code_block']);
  });

  it('A14 annotates each block with the path of its file', async () => {
    const text = await concat([{ path: 'projects/startup-x/state.md' }, { path: tasksPath }]);
    expect(parseMarkdown(text).map(({ info }) => info)).toEqual([statePath, tasksPath]);
  });

  it('A15 numbers every line', async () => {
    const text = await concat([{ path: 'vault/a.md' }], { 'a.md': 'one\n\n  three\n' });
    expect(text).toBe('```vault/a.md\n1  | one\n2  |\n3  |   three\n```');
  });

  it('A16 is not disturbed by headings, fences and blocks inside the files', async () => {
    const text = await concat([{ path: 'vault/a.md' }, { path: tasksPath, lines: '7-7' }], {
      ...exampleVault,
      'a.md': hostile,
    });
    const blocks = parseMarkdown(text);
    expect(blocks.map(({ type, info }) => `${type} ${info}`)).toEqual([
      'code_block vault/a.md',
      'code_block vault/tasks.md (lines 7-7)',
    ]);
    expect(blocks[0]?.content.split('\n')).toHaveLength(hostile.split('\n').length);
  });

  it('A17 is the example of the specification byte for byte, at every interface', async () => {
    const { callEverywhere } = await openInterfaces(exampleVault);
    const files = [{ path: statePath }, { path: changelogPath, lines: '9-14' }, { path: tasksPath }];
    const example = readExample('concat');
    expect(Buffer.byteLength(example)).toBe(1_130);
    expect(await callEverywhere('concat', { files })).toEqual(everywhere(example));
  });

  it('A18 pads numbers to the width of the last one, two digits at least', async () => {
    const files = { 'a.md': lines(1_200) };
    const numbers = async (range: string) =>
      (await concat([{ path: 'vault/a.md', lines: range }], files))
        .split('\n')
        .slice(1, -1)
        .map((line) => line.replace(/line \d+$/, ''));
    expect(await numbers('1-2')).toEqual(['1  | ', '2  | ']);
    expect(await numbers('9-10')).toEqual(['9  | ', '10 | ']);
    expect(await numbers('99-100')).toEqual(['99  | ', '100 | ']);
    expect(await numbers('999-1000')).toEqual(['999  | ', '1000 | ']);
  });

  it('A19 shows an empty line as its number and the bar, with nothing behind it', async () => {
    const text = await concat([{ path: statePath, lines: '5-7' }]);
    expect(text.split('\n').slice(1, -1)).toEqual(['5  | ---', '6  |', '7  | ## Statut global']);
  });

  it('A20 separates blocks by one empty line', async () => {
    const text = await concat([
      { path: tasksPath, lines: '7-7' },
      { path: statePath, lines: '8-8' },
    ]);
    expect(text).toBe(
      '```vault/tasks.md (lines 7-7)\n7  | # Appeler le comptable pour TVA Q3\n```\n\n' +
        '```vault/projects/startup-x/state.md (lines 8-8)\n8  | actif\n```',
    );
  });

  it('A21 names the lines of a range in the header', async () => {
    const { callEverywhere } = await openInterfaces(exampleVault);
    const texts = await callEverywhere('concat', { files: [{ path: changelogPath, lines: '9-14' }] });
    const header = '```vault/projects/startup-x/changelog.md (lines 9-14)';
    for (const text of Object.values(texts)) expect(text.split('\n')[0]).toBe(header);
    expect(Object.keys(texts)).toHaveLength(4);
  });

  it('A22 has only the path in the header of a whole file', async () => {
    const { callEverywhere } = await openInterfaces(exampleVault);
    const texts = await callEverywhere('concat', { files: [{ path: statePath }] });
    for (const text of Object.values(texts))
      expect(text.split('\n')[0]).toBe('```vault/projects/startup-x/state.md');
    expect(Object.keys(texts)).toHaveLength(4);
  });

  it('A23 keeps the original numbers of a range instead of counting from 1', async () => {
    const text = await concat([{ path: changelogPath, lines: '9-14' }]);
    const numbers = text
      .split('\n')
      .slice(1, -1)
      .map((line) => Number.parseInt(line, 10));
    expect(numbers).toEqual([9, 10, 11, 12, 13, 14]);
  });
});

describe('concat: edge cases', () => {
  it('A27 returns an empty text without an error for an empty list', async () => {
    const vault = await openInterfaces(exampleVault);
    expect(await vault.callEverywhere('concat', { files: [] })).toEqual(everywhere(''));
    const result = await vault.callMcp('vault_concat', { files: [] });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({ blocks: [], errors: [] });
  });

  it('A28 names a missing path in an error and assembles the other files', async () => {
    const { callEverywhere } = await openInterfaces(exampleVault);
    const files = [{ path: 'vault/gone.md' }, { path: tasksPath, lines: '7-7' }];
    for (const text of Object.values(await callEverywhere('concat', { files }))) {
      const [block, error, ...others] = text.split('\n\n');
      expect(block).toBe('```vault/tasks.md (lines 7-7)\n7  | # Appeler le comptable pour TVA Q3\n```');
      expect(error).toMatch(/^error: vault\/gone\.md: file not found\b.*$/);
      expect(others).toEqual([]);
    }
  });

  it('A29 names the expected form of an invalid range and assembles the other files', async () => {
    const text = await concat([
      { path: tasksPath, lines: 'abc-def' },
      { path: statePath, lines: '8-8' },
    ]);
    expect(text).toBe(
      '```vault/projects/startup-x/state.md (lines 8-8)\n8  | actif\n```\n\n' +
        'error: vault/tasks.md: "abc-def" is not a range of lines; write it as "9-14", "9-" to the end, or "9"',
    );
  });

  it('A30 ends a range after the end of the file at its last line', async () => {
    const text = await concat([{ path: 'vault/a.md', lines: '1-9999' }], { 'a.md': lines(100) });
    expect(text.split('\n')[0]).toBe('```vault/a.md (lines 1-100)');
    expect(withoutNumbers(text)).toBe(lines(100));
    expect(text.split('\n').at(-2)).toBe('100 | line 100');
  });

  it('A31 includes the whole file if lines is an empty text', async () => {
    const files = { 'a.md': 'one\ntwo\n' };
    expect(await concat([{ path: 'vault/a.md', lines: '' }], files)).toBe(
      '```vault/a.md\n1  | one\n2  | two\n```',
    );
  });
});
