import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import type { ConcatValue, ReadValue } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { describeTool, formatPathError, tools, withoutCallerAdvice } from './index.ts';
import { searchTool } from './search.ts';
import { verifyBlocks } from './verify-blocks.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function result(vault: RoomVault, tool: string, input: unknown) {
  const outcome = await vault.call(tool, input);
  return outcome.kind === 'result' ? outcome.result : expect.unreachable(outcome.message);
}

describe('the description of a tool', () => {
  it('names other tools as the interface does', () => {
    const read = tools.find(({ name }) => name === 'read')!;
    const describeFor = (toolInterface: 'tools' | 'mcp') =>
      describeTool(read, { hasEmbedder: false, toolInterface }).description;
    expect(describeFor('tools')).toContain('Use these numbers in concat and edit.');
    expect(describeFor('mcp')).toContain('Use these numbers in vault_concat and vault_edit.');
  });

  it('has only names of tools in backticks', () => {
    const named = tools.flatMap(({ description }) =>
      [...description.matchAll(/`([^`]*)`/g)].map(([, name]) => name),
    );
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});

describe('read', () => {
  it('returns structured data with the text', async () => {
    const vault = await roomVault({ 'a.md': '---\nx: 1\n---\n# A\nb\n' });
    const { value } = await result(vault, 'read', { paths: 'a.md', head: 1 });
    expect(value).toEqual({
      files: [
        {
          path: 'vault/a.md',
          revision: expect.stringMatching(/^[0-9a-f]{16}$/),
          lines: { start: 1, end: 1 },
          totalLines: 5,
          tokens: 2,
        },
      ],
      images: [],
      errors: [],
      notes: [],
      leftOut: [],
    });
  });

  it('returns images in order and detects their type from the content', async () => {
    const vault = await roomVault({
      'a.md': 'a\n',
      'b.jpg': png,
      'c.png': 'text',
      'd.png': Buffer.concat([png, randomBytes(5_000_001)]),
    });
    const { text, images, value } = await result(vault, 'read', { paths: 'vault/' });
    expect(text).toContain('1  | a\n```\n\n[image vault/b.jpg · png · 1×1]');
    expect(images).toEqual([{ path: 'vault/b.jpg', mediaType: 'image/png', data: png }]);
    const problems = [
      expect.stringMatching(/^vault\/c\.png: .*not a PNG/),
      expect.stringMatching(/^vault\/d\.png: .*5\.0 MB/),
    ];
    expect(value).toMatchObject({ errors: [], notes: problems });
    const named = await result(vault, 'read', { paths: ['c.png', 'd.png'] });
    expect(named.value.errors.map(({ path, message }) => `${path}: ${message}`)).toEqual(problems);
  });

  it('adds a note for a binary file in a folder and an error for one requested by name', async () => {
    const vault = await roomVault({
      'f/doc.pdf': Buffer.from('%PDF-1.7\n\xe2\xe3\0', 'latin1'),
      'f/doc.md': 'a\n',
    });
    const folder = await result(vault, 'read', { paths: 'f/' });
    expect(folder.value.errors).toEqual([]);
    expect(folder.text).toBe(
      '```vault/f/doc.md\n1  | a\n```\n\nnote: vault/f/doc.pdf: a document; read it by its own path to see its text',
    );
    expect((await result(vault, 'read', { paths: 'f/doc.pdf' })).value.errors).toHaveLength(1);
  });

  it('hides the byte order mark', async () => {
    const vault = await roomVault({ 'a.md': '\ufeff---\nx: 1\n---\n' });
    expect(await vault.text('read', { paths: 'a.md' })).toBe(
      '```vault/a.md\n1  | ---\n2  | x: 1\n3  | ---\n```',
    );
  });

  it.each([
    ['head', { head: 30_000 }, [1, 3_000]],
    ['tail', { tail: 30_000 }, [1_001, 4_000]],
  ])(
    'reports every line that is omitted from a %s above the result limit',
    async (_, budget, [first = 0, last = 0]) => {
      // Each line has 40 characters including its line ending, which is 10 tokens.
      const lines = Array.from({ length: 4_000 }, (__, index) => `${index + 1}`.padEnd(39, '.'));
      const vault = await roomVault({ 'long.md': `${lines.join('\n')}\n` });
      const { value } = await result(vault, 'read', { paths: 'long.md', ...budget });
      const { files, leftOut } = value as ReadValue;
      const { start, end } = files[0]?.lines ?? { start: 0, end: 0 };
      expect(leftOut).toEqual([
        { path: 'vault/long.md', lines: start === first ? `${end + 1}-${last}` : `${first}-${start - 1}` },
      ]);
      expect(start === first || end === last).toBe(true);
    },
  );

  it('reports a line that is too long for a result and the lines around it', async () => {
    const vault = await roomVault({ 'wide.md': `first\n${'wide '.repeat(60_000)}\nlast\n` });
    const read = async (input: object) => (await result(vault, 'read', { paths: 'wide.md', ...input })).value;
    expect(await read({ head: 80_000 })).toMatchObject({ leftOut: [{ lines: '2-3' }], errors: [] });
    expect(await read({ paths: 'wide.md:2-3' })).toMatchObject({
      leftOut: [{ lines: '3-3' }],
      errors: [{ message: expect.stringContaining('line 2 is') }],
    });
    expect(await read({ tail: 80_000 })).toMatchObject({ leftOut: [{ lines: '1-2' }], errors: [] });
  });

  it('rejects an image with huge dimensions', async () => {
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(60_000, 16);
    const vault = await roomVault({ 'bomb.png': bomb });
    expect((await result(vault, 'read', { paths: 'bomb.png' })).text).toMatch(
      /^error: vault\/bomb\.png: the image is 60000×1/,
    );
  });

  it('rejects binary files and names their type', async () => {
    const vault = await roomVault({
      'a.md': Buffer.from('%PDF-1.7\n\xff\xfe\0', 'latin1'),
      'b.md': Buffer.from('caf\xe9', 'latin1'),
      'c.md': Buffer.from('\ufeffx', 'utf16le'),
    });
    expect((await result(vault, 'read', { paths: 'vault/' })).text).toMatch(
      /a PDF document.*\n.*text that is not UTF-8.*\n.*UTF-16 text/,
    );
  });

  it('rejects a whole file over 20 MB but returns its head, tail and headings', async () => {
    const vault = await roomVault({
      'big.md': `# first\n${`${'x'.repeat(99)}\n`.repeat(220_000)}## last\nend\n`,
    });
    expect((await result(vault, 'read', { paths: 'big.md' })).text).toMatch(
      /22\.0 MB, over 20 MB; use head, tail or folded/,
    );
    expect((await result(vault, 'read', { paths: 'big.md', head: 2 })).text).toContain(
      '(lines 1-1 of 220003)\n1  | # first',
    );
    expect((await result(vault, 'read', { paths: 'big.md', tail: 3 })).text).toContain(
      '(lines 220002-220003 of 220003)\n220002 | ## last\n220003 | end',
    );
    const { text } = await result(vault, 'read', { paths: 'big.md', folded: true });
    expect(text).toContain(
      '1      | # first\n       | ... (lines 2-220001 · 5500000 tokens)\n220002 | ## last',
    );
    expect(
      (await result(vault, 'concat', { files: [{ path: 'big.md', lines: '220002-220009' }] })).text,
    ).toContain('(lines 220002-220003)');
  });

  it('recounts the lines of a file that has grown', async () => {
    const vault = await roomVault({ 'big.md': 'x\n'.repeat(800_000) });
    expect((await result(vault, 'read', { paths: 'big.md', head: 1 })).text).toContain('of 800000)');
    appendFileSync(join(vault.folder, 'big.md'), 'more\n');
    expect((await result(vault, 'read', { paths: 'big.md', head: 1 })).text).toContain('of 800001)');
  });

  it('stops before 20,000 tokens and lists the omitted paths', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `n/${String(i).padStart(2, '0')}.md`,
        'some words\n'.repeat(700),
      ]),
    );
    const vault = await roomVault(files);
    const { text, value } = await result(vault, 'read', { paths: 'n/' });
    expect(text.length).toBeLessThanOrEqual(80_000);
    expect(text.length).toBeGreaterThan(70_000);
    expect(text).toMatch(/\(lines 1-\d+ of 700\)/);
    const [, first = ''] =
      /\nomitted \(a result holds at most 20\.0k tokens and 20 images\): (vault\/n\/\d\d\.md:\d+-700), vault/.exec(
        text,
      ) ?? [];
    expect(first).not.toBe('');
    expect(value).toMatchObject({
      leftOut: expect.arrayContaining([{ path: 'vault/n/29.md', lines: null }]),
    });
    expect(await vault.text('read', { paths: 'n/' }, 'person')).not.toContain('omitted');
  });

  it('truncates a tail at its start', async () => {
    const vault = await roomVault({ 'a.md': 'x\n'.repeat(40_000) });
    expect((await result(vault, 'read', { paths: 'a.md', tail: 20_000 })).text).toMatch(
      /of 40000\)\n[\s\S]*\n40000 \| x\n```\n\nomitted .*: vault\/a\.md:1-\d+\./,
    );
  });

  it('never exceeds its limits and records only the lines it showed', async () => {
    const long = `${'\u200b'.repeat(80)}.png`;
    const vault = await roomVault({
      'a.md': 'x'.repeat(76_000),
      'b.md': 'y'.repeat(9_000),
      empty: null,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${'i'.repeat(i + 1)}/${long}`, png])),
    });
    const run = vault.writeRun('model');
    const read = tools.find(({ name }) => name === 'read');
    const both = await read?.call({ paths: ['a.md', 'b.md'] }, run);
    expect(['a.md', 'b.md'].map((name) => run.shownLines.has(`vault/${name}` as VaultPath))).toEqual([
      true,
      false,
    ]);
    expect(both).toMatchObject({ result: { value: { leftOut: [{ path: 'vault/b.md', lines: null }] } } });
    for (const paths of [
      Array.from({ length: 20_000 }, () => 'empty/'),
      Array.from({ length: 20 }, (_, i) => `${'i'.repeat(i + 1)}/`),
    ]) {
      expect((await result(vault, 'read', { paths })).text.length).toBeLessThanOrEqual(80_000);
    }
    const refused = await vault.call('concat', { files: Array.from({ length: 50_000 }, () => 1) });
    expect(refused.kind === 'refused' ? refused.message.length : 0).toBeLessThan(2_000);
  });

  it('reports the lines of a range that did not fit', async () => {
    const vault = await roomVault({ 'a.md': 'x\n'.repeat(30_000), 'b.md': 'one\ntwo\nthree\n' });
    const { value } = await result(vault, 'concat', {
      files: [{ path: 'a.md' }, { path: 'b.md', lines: '2-3' }],
    });
    expect(value).toMatchObject({ leftOut: [{ path: 'vault/a.md' }, { path: 'vault/b.md' }] });
  });

  it('suggests paths only for the first few missing ones, and never a deleted file', async () => {
    const vault = await roomVault(
      Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`note-${i}.md`, 'x'])),
    );
    const closest = vi.spyOn(vault.view, 'suggestPath');
    const { text } = await result(vault, 'read', {
      paths: Array.from({ length: 500 }, (_, i) => `notes-${i}.md`),
    });
    // Each suggestion compares all files of the vault with the requested path.
    expect(closest).toHaveBeenCalledTimes(5);
    expect(text.match(/did you mean /g)).toHaveLength(5);
    rmSync(join(vault.folder, 'note-7.md'));
    expect((await result(vault, 'read', { paths: 'note-7.md' })).text).not.toContain(
      'did you mean vault/note-7.md?',
    );
    expect((await result(vault, 'tree', { path: 'note-7.md' })).text).toContain('file not found');
  });

  it('stops at 20 images', async () => {
    const vault = await roomVault(
      Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`i/${String(i + 10)}.png`, png])),
    );
    const { images, text } = await result(vault, 'read', { paths: 'i/' });
    expect(images).toHaveLength(20);
    expect(text).toContain('vault/i/30.png, vault/i/31.png');
  });

  it('limits the list of errors', async () => {
    const vault = await roomVault();
    const { text } = await result(vault, 'read', {
      paths: Array.from({ length: 5_000 }, (_, i) => `missing-${i}.md`),
    });
    expect(text.length).toBeLessThanOrEqual(80_000);
    expect(text).toMatch(/error: \d+ more paths have errors; request fewer paths at a time$/);
  });

  it.each([
    [{ paths: [] }, /paths/],
    [{ paths: 'a.md', head: 1, tail: 1 }, /head and tail/],
    [{ paths: 'a.md', head: 0 }, /at least 1/],
    [{ paths: 'a.md', head: 1.5 }, /head/],
    [{ paths: 'a.md', folded: true, tail: 1 }, /folded/],
    [{ place: 'a.md' }, /place/],
    ['a.md', /./],
  ])('rejects %j with a reason', async (input, reason) => {
    const vault = await roomVault({ 'a.md': 'a\n' });
    const outcome = await vault.call('read', input);
    expect(outcome.kind === 'refused' ? outcome.message : '').toMatch(reason);
  });
});

describe('a path with wildcards', () => {
  const files = {
    'projects/boat/state.md': 'Afloat.\n',
    'projects/boat/bucket/note.md': 'Oak.\n',
    'projects/roof/state.md': 'Dry.\n',
    'a*b.md': 'A star.\n',
    'axb.md': 'An x.\n',
  };
  const headersOf = (text: string) => text.split('\n').filter((line) => /^```./.test(line));

  it('is read like the paths that it stands for', async () => {
    const vault = await roomVault(files);
    const both = ['projects/boat/state.md', 'projects/roof/state.md'];
    const named = await vault.text('read', { paths: both, head: 100 });
    for (const pattern of ['vault/projects/*/state.md', 'projects/*/state.md'])
      expect(await vault.text('read', { paths: pattern, head: 100 })).toBe(named);
    expect(headersOf(await vault.text('read', { paths: 'projects/*/' }))).toEqual(
      headersOf(await vault.text('read', { paths: ['projects/boat/', 'projects/roof/'] })),
    );
    expect(headersOf(await vault.text('read', { paths: 'projects/**/*.md' }))).toEqual([
      '```vault/projects/boat/bucket/note.md',
      '```vault/projects/boat/state.md',
      '```vault/projects/roof/state.md',
    ]);
  });

  it('is the file of exactly this name, if there is one', async () => {
    const vault = await roomVault(files);
    expect(headersOf(await vault.text('read', { paths: 'a*b.md' }))).toEqual(['```vault/a*b.md']);
  });

  it('is an error if nothing matches or it is invalid, and the other paths are read', async () => {
    const vault = await roomVault(files);
    const text = await vault.text('read', { paths: ['*/state.md', '../*.md', 'axb.md'] });
    expect(text).toBe(
      [
        '```vault/axb.md\n1  | An x.\n```',
        'error: */state.md: no file or folder matches this pattern; call tree to list files\nerror: ../*.md: .. leads out of the vault; call tree to list files',
      ].join('\n\n'),
    );
  });

  it('stands for at most 200 paths, and says so', async () => {
    const many = Array.from({ length: 201 }, (_, index) => [`n${index}.md`, 'x\n'] as const);
    const vault = await roomVault(Object.fromEntries(many));
    const text = await vault.text('read', { paths: 'n*.md' });
    expect(headersOf(text)).toHaveLength(200);
    expect(text).toMatch(
      /\nnote: n\*\.md matches 201 paths, of which the first 200 are read; narrow the pattern$/,
    );
  });
});

describe('a path with a line range', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const files = { 'a.md': `${lines.join('\n')}\n`, 'a.md:2': 'odd\n', 'f/b.md': 'b\n', 'i.png': png };

  it.each([
    ['a.md:12-13', '```vault/a.md (lines 12-13)\n12 | line 12\n13 | line 13\n```'],
    ['vault/a.md:39-', '```vault/a.md (lines 39-40)\n39 | line 39\n40 | line 40\n```'],
    ['a.md:39-99', '```vault/a.md (lines 39-40)\n39 | line 39\n40 | line 40\n```'],
    ['a.md:7', '```vault/a.md (lines 7-7)\n7  | line 7\n```'],
    ['a.md:2', '```vault/a.md:2\n1  | odd\n```'],
    ['a.md:2:1', '```vault/a.md:2 (lines 1-1)\n1  | odd\n```'],
    ['a.md:41-', 'error: vault/a.md: it has only 40 lines, so there is no line 41'],
    ['a.md:9-3', 'error: vault/a.md: "9-3" is reversed; write it as "3-9"'],
    ['a.md: 12 - 13 ', '```vault/a.md (lines 12-13)\n12 | line 12\n13 | line 13\n```'],
    [
      'a.md:-3',
      'error: vault/a.md: "-3" is not a range of lines; write it as "9-14", "9-" to the end, or "9"',
    ],
    ['a.md:x', 'error: vault/a.md: "x" is not a range of lines; write it as "9-14", "9-" to the end, or "9"'],
    ['a.md:0-', 'error: vault/a.md: "0-" starts before line 1; write it as "1-"'],
    ['a.md:0', 'error: vault/a.md: "0" starts before line 1; write it as "1"'],
    ['a.md:0-3', 'error: vault/a.md: "0-3" starts before line 1; write it as "1-3"'],
    ['f/:1-2', 'error: vault/f/: it is a folder and has no lines'],
    ['i.png:1', 'error: vault/i.png: it is an image; omit the line range'],
    ['b.md:1-2', 'error: vault/b.md: file not found; did you mean vault/f/b.md?'],
  ])('returns lines or an error: %s', async (path, text) => {
    const vault = await roomVault(files);
    expect(await vault.text('read', { paths: path })).toBe(text);
  });

  it('returns a block per range regardless of head, tail and folded', async () => {
    const vault = await roomVault(files);
    const paths = ['a.md:9-10', 'a.md:1-1', 'a.md'];
    const { text, value } = await result(vault, 'read', { paths, head: 2 });
    expect(text.match(/\(lines .*\)/g)).toEqual(['(lines 9-10)', '(lines 1-1)', '(lines 1-1 of 40)']);
    expect(value).toMatchObject({ files: [{ lines: { start: 9, end: 10 }, totalLines: 40 }, {}, {}] });
  });

  it('is accepted by concat unless the range is given twice', async () => {
    const vault = await roomVault(files);
    const { text } = await result(vault, 'concat', {
      files: [{ path: 'a.md:3-4' }, { path: 'a.md:2' }, { path: 'a.md:3-4', lines: '3-4' }],
    });
    expect(text).toBe(
      '```vault/a.md (lines 3-4)\n3  | line 3\n4  | line 4\n```\n\n```vault/a.md:2\n1  | odd\n```\n\nerror: vault/a.md: the line range is given twice; give it once',
    );
  });

  it('allows paging through a long file by the omitted paths of each result', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `line number ${index + 1}`);
    const vault = await roomVault({ 'long.md': long.join('\n'), 'other.md': 'x\n' });
    const seen: string[] = [];
    for (let paths: string[] = ['long.md', 'other.md']; paths.length > 0;) {
      const { text } = await result(vault, 'read', { paths });
      seen.push(...(text.match(/(?<=^\d+ *\| ).*/gm) ?? []));
      paths = /^omitted .*?: (.*)\. Request them in separate calls\.$/m.exec(text)?.[1]?.split(', ') ?? [];
    }
    expect(seen).toEqual([...long, 'x']);
  });

  it('causes an error if a line is too long for any result', async () => {
    const vault = await roomVault({ 'a.md': `one\n${'x'.repeat(90_000)}\nthree\n` });
    expect(await vault.text('read', { paths: 'a.md' })).toContain(
      'omitted (a result holds at most 20.0k tokens and 20 images): vault/a.md:2-3.',
    );
    expect(await vault.text('read', { paths: 'a.md:2-3' })).toMatch(
      /^error: vault\/a\.md: line 2 is too long/,
    );
    expect(await vault.text('read', { paths: 'a.md:3' })).toContain('3  | three');
  });
});

describe('concat', () => {
  it('returns path, lines and revision of each block', async () => {
    const vault = await roomVault({ 'a.md': 'a\nb\nc\n', 'empty.md': '' });
    const { value } = await result(vault, 'concat', {
      files: [{ path: 'a.md', lines: '2-9' }, { path: 'empty.md' }],
    });
    const revision = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(value).toMatchObject({
      blocks: [
        { path: 'vault/a.md', start: 2, end: 3, revision },
        { path: 'vault/empty.md', start: 1, end: 0, revision },
      ],
    });
  });

  it('reports an error for each invalid path', async () => {
    const vault = await roomVault({ 'a.md': 'a\n', 'f/x.md': 'x\n', 'i.png': png, 'no.png': 'x' });
    const { text } = await result(vault, 'concat', {
      files: [
        { path: 'a.md', lines: '5-9' },
        { path: 'f/' },
        { path: 'i.png', lines: '2-3' },
        { path: 'no.png' },
        { path: 'b/a.md' },
        { path: 'a.md', lines: 'all' },
      ],
    });
    expect(text.split('\n')).toEqual([
      'error: vault/a.md: it has only 1 line, so there is no line 5',
      'error: vault/f/: it is a folder; list its files one by one',
      'error: vault/i.png: it is an image; omit the line range',
      'error: vault/no.png: its name says image, but its content is not a PNG, JPEG, GIF or WebP image',
      'error: vault/b/a.md: file not found; did you mean vault/a.md?',
      expect.stringContaining('error: vault/a.md: "all" is not a range of lines; write it as "9-14"'),
    ]);
  });

  it('quotes an image as a line that names it', async () => {
    const vault = await roomVault({ 'i.png': png, 'a.md': 'a\n' });
    const { text, value } = await result(vault, 'concat', { files: [{ path: 'i.png' }, { path: 'a.md' }] });
    expect(text).toBe('```vault/i.png\n[image vault/i.png · png · 1×1]\n```\n\n```vault/a.md\n1  | a\n```');
    expect(value).toMatchObject({
      blocks: [{ path: 'vault/i.png', start: 1, end: 1 }, { path: 'vault/a.md' }],
    });
    expect(await verifyBlocks(text, vault.readRun('person'))).toMatchObject([
      { state: 'same' },
      { state: 'same' },
    ]);
    const lines = await result(vault, 'concat', { files: [{ path: 'i.png', lines: '1-1' }] });
    expect(lines.text).toBe('error: vault/i.png: it is an image; omit the line range');
  });

  it('quotes several ranges of an entry as one block with gaps, which verify checks range by range', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => `| ${index} | buoy |`);
    const vault = await roomVault({ 'a.md': `| n | what |\n| --- | --- |\n${rows.join('\n')}\n` });
    const files = [{ path: 'a.md', lines: '101, 1-2' }, { path: 'a.md:7,9' }];
    const { text, value } = await result(vault, 'concat', { files });
    expect(text).toBe(
      [
        '```vault/a.md (lines 1-2, 101-101)',
        '1   | | n | what |',
        '2   | | --- | --- |',
        '    | ...',
        '101 | | 98 | buoy |',
        '```',
        '',
        '```vault/a.md (lines 7-7, 9-9)',
        '7  | | 4 | buoy |',
        '   | ...',
        '9  | | 6 | buoy |',
        '```',
      ].join('\n'),
    );
    expect(value).toMatchObject({
      blocks: [
        { number: 1, start: 1, end: 2 },
        { number: 1, start: 101, end: 101 },
        { number: 2, start: 7, end: 7 },
        { number: 2, start: 9, end: 9 },
      ],
    });
    // Answers of earlier versions have the number of a citation in the header.
    let blocks = 0;
    const numbered = text.replaceAll('```vault', () => `\`\`\`[${(blocks += 1)}] vault`);
    expect(numbered).toContain('```[2] vault/a.md (lines 7-7, 9-9)');
    for (const document of [text, numbered])
      expect(await verifyBlocks(document, vault.readRun('person'))).toMatchObject([
        { path: 'vault/a.md', state: 'same', start: 1, end: 2 },
        { path: 'vault/a.md', state: 'same', start: 101, end: 101 },
        { state: 'same', start: 7 },
        { state: 'same', start: 9 },
      ]);
    const changed = numbered.replace('| 6 | buoy |', '| 6 | rope |');
    expect((await verifyBlocks(changed, vault.readRun('person'))).at(-1)).toMatchObject({
      state: 'changed',
      start: 9,
    });
  });

  it('has errors that a person can be told without the advice for a model', async () => {
    const vault = await roomVault({ 'a.md': 'a\nb\nc\n', 'i.png': png, 'f/b.md': 'b\n' });
    const asked = [
      { path: 'gone.md' },
      { path: 'aa.md' },
      { path: 'f/' },
      { path: 'a.md', lines: 'abc-def' },
      { path: 'a.md', lines: '0-2' },
      { path: 'a.md:1', lines: '2' },
      { path: 'a.md', lines: '9' },
      { path: 'i.png', lines: '1' },
    ];
    const { value } = await result(vault, 'concat', { files: asked });
    const told = (value as unknown as ConcatValue).errors.map((error) =>
      formatPathError(withoutCallerAdvice(error)),
    );
    expect(told).toEqual([
      'error: vault/gone.md: file not found',
      'error: vault/aa.md: file not found',
      'error: vault/f/: it is a folder',
      'error: vault/a.md: "abc-def" is not a range of lines',
      'error: vault/a.md: "0-2" starts before line 1',
      'error: vault/a.md: the line range is given twice',
      'error: vault/a.md: it has only 3 lines, so there is no line 9',
      'error: vault/i.png: it is an image',
    ]);
  });

  it('reports a missing file once, and a range without lines next to those that exist', async () => {
    const vault = await roomVault({ 'a.md': 'a\nb\nc\n' });
    const files = [
      { path: 'gone.md', lines: '1,3' },
      { path: 'a.md', lines: '1,9' },
    ];
    expect((await result(vault, 'concat', { files })).text.split('\n')).toEqual([
      '```vault/a.md (lines 1-1)',
      '1  | a',
      '```',
      '',
      'error: vault/gone.md: file not found; call tree to list files',
      'error: vault/a.md: it has only 3 lines, so there is no line 9',
    ]);
    expect(await vault.text('read', { paths: 'a.md:1,3' })).toBe(
      '```vault/a.md (lines 1-1)\n1  | a\n```\n\n```vault/a.md (lines 3-3)\n3  | c\n```',
    );
  });

  it('returns ten thousand generated lines byte for byte', async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `${i} ${'`~#'.repeat(i % 5)} é`);
    const vault = await roomVault({ 'a.md': `${lines.join('\n')}\n` });
    const text = await vault.text('concat', { files: [{ path: 'a.md', lines: '1-10000' }] }, 'person');
    expect(
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.slice(8)),
    ).toEqual(lines);
  });
});

describe('tree', () => {
  it('aligns names, tokens and dates', async () => {
    const vault = await roomVault({
      'p/description.md': `---\nupdated: 2025-07-11T09:02:00\n---\n${'x'.repeat(1_680)}`,
      'p/bucket/a.md': `---\nupdated: 2025-07-09T11:20:00\n---\n${'x'.repeat(36_000)}`,
      'p/bucket/deep/b.md': '---\nupdated: 2025-07-08T11:20:00\n---\n',
      'p/empty': null,
    });
    expect(await vault.text('tree', { path: 'p', depth: 1 })).toBe(
      [
        'vault/p/           [9.4k · 2025-07-11 09:02]',
        '├── description.md  [420 · 2025-07-11 09:02]',
        '├── bucket/        [9.0k · 2025-07-09 11:20]',
        '│   └── … 2 files, 1 folder',
        '└── empty/                           [0 · —]',
      ].join('\n'),
    );
  });

  it('collapses deep folders first, then truncates long ones with a note', async () => {
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i % 30}/${i}.md`, 'x']));
    const collapsed = await roomVault(wide);
    const text = await collapsed.text('tree', {});
    expect(text).toContain('├── p0/');
    expect(text).toContain('… 100 files');
    expect(text).toMatch(/collapsed to 1 level to fit; call tree with a folder path/);
    const flat = await roomVault(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`note-${i}.md`, 'x'])),
    );
    const cut = await flat.text('tree', {});
    expect(cut).toMatch(/└── … \d+ more files\n\ntruncated to 256 entries to fit/);
    expect(cut.length).toBeLessThanOrEqual(20_000);
    expect((await flat.text('tree', {}, 'person')).split('\n')).toHaveLength(3_001);
  });

  it('suggests a similar path', async () => {
    const vault = await roomVault({ 'projects/startup-x/state.md': 'x' });
    expect(await vault.text('tree', { path: 'projects/sate.md' })).toBe(
      'error: vault/projects/sate.md: file not found; did you mean vault/projects/startup-x/state.md?',
    );
  });
});

describe('the tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s returns a value that matches its schema',
    async (name, tool) => {
      const vault = await roomVault({ 'a.md': '# a\n', 'i.png': png });
      const inputs: Record<string, unknown> = {
        search: { queries: ['a'], mode: 'fast' },
        read: { paths: ['vault/', 'nope'] },
        concat: { files: [{ path: 'a.md' }, { path: 'nope' }] },
        tree: {},
        today: {},
        write: { path: 'b.md', content: 'b' },
        edit: { path: 'a.md', old: 'a', new: 'b' },
        append: { path: 'a.md', content: 'b', position: 'top' },
        move: { from: 'a.md', to: 'b.md' },
        delete: { path: 'a.md' },
      };
      const input = inputs[name];
      const { value } = await result(vault, name, input);
      expect(tool.output.parse(value)).toEqual(value);
    },
  );

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s has a documentation page', (name, tool) => {
    const page = readFileSync(`docs/tools/${name}.md`, 'utf8');
    const headings = page.match(/^## .*/gm);
    expect(headings).toEqual(
      expect.arrayContaining([
        '## Signature',
        '## Parameters',
        '## Output',
        '## Typical uses',
        '## Edge cases',
      ]),
    );
    expect(headings?.at(-1)).toBe('## Further features');
    const readers: Record<string, string> = { concat: 'only the search', today: 'Neither' };
    const agents = tool.effect === 'write' ? 'only the update' : (readers[name] ?? 'Both');
    expect(page).toContain(`${agents} agent`);
    for (const door of [`\`vault_${name}\``, '`keepsake ', `\`POST …/tools/${name}\``])
      expect(page).toContain(door);
    expect(page).toContain(`<!-- generated: example ${name} `);
    expect(tool.description).toContain('Example: {');
  });

  it('search has no date parameters, and its documentation does not mention dates', () => {
    const { properties } = z.toJSONSchema(searchTool.input, { io: 'input' });
    expect(Object.keys(properties ?? {})).toEqual(['queries', 'mode', 'scopes', 'limit']);
    const page = readFileSync('docs/tools/search.md', 'utf8');
    const ownWords = page.replaceAll(/^<!-- generated: [^]*?^<!-- \/generated -->$/gm, '');
    expect(ownWords).not.toMatch(/\bdates?\b|date_|--from|--to\b|\b\d{4}-\d{2}|\bdays?\b/i);
    expect(ownWords).toContain('## Further features');
  });
});

describe('input in a slightly wrong form', () => {
  const files = { 'a.md': 'one\ntwo\nthree\nfour\n', 'b.md': 'bee\n' };

  it.each([
    ['search', { query: 'three' }, { queries: ['three'] }],
    ['search', { queries: 'three' }, { queries: ['three'] }],
    ['search', { queries: '["three", "bee"]' }, { queries: ['three', 'bee'] }],
    [
      'search',
      { query: ['three'], scope: 'a.md', limit: '1' },
      { queries: ['three'], scopes: ['a.md'], limit: 1 },
    ],
    ['search', '{"queries": ["three"]}', { queries: ['three'] }],
    ['read', { path: 'a.md' }, { paths: 'a.md' }],
    ['read', { file: 'a.md:2-3' }, { paths: 'a.md:2-3' }],
    ['read', { files: ['a.md', 'b.md'], folded: 'false' }, { paths: ['a.md', 'b.md'], folded: false }],
    ['read', { paths: 'a.md', head: '5' }, { paths: 'a.md', head: 5 }],
    ['concat', { files: 'a.md:2-3' }, { files: [{ path: 'a.md', lines: '2-3' }] }],
    ['concat', { files: ['a.md:2-3', 'b.md'] }, { files: [{ path: 'a.md:2-3' }, { path: 'b.md' }] }],
    ['concat', { files: { path: 'a.md', lines: 2 } }, { files: [{ path: 'a.md', lines: '2' }] }],
    ['concat', { path: 'a.md', lines: [2, 3] }, { files: [{ path: 'a.md', lines: '2-3' }] }],
    ['concat', { files: [{ file: 'a.md', line: 2 }] }, { files: [{ path: 'a.md', lines: '2' }] }],
    ['tree', { folder: 'vault/', depth: '1' }, { path: 'vault/', depth: 1 }],
    ['append', { file: 'a.md', text: 'x', position: 'top' }, { path: 'a.md', content: 'x', position: 'top' }],
    ['write', { path: ['c.md'], content: 7 }, { path: 'c.md', content: '7' }],
    ['move', { source: 'a.md', destination: 'c.md' }, { from: 'a.md', to: 'c.md' }],
    ['move', { path: 'a.md', new_path: 'c.md' }, { from: 'a.md', to: 'c.md' }],
    ['delete', { file: 'a.md' }, { path: 'a.md' }],
  ])('is accepted by %s: %j', async (tool, given, meant) => {
    const expected = await result(await roomVault(files), tool, meant);
    const { text } = await result(await roomVault(files), tool, given);
    expect(text).toBe(expected.text);
    expect(expected.value.errors).toEqual([]);
  });

  it('is rejected with the message about what was passed if it is wrong in other ways, too', async () => {
    const vault = await roomVault(files);
    expect(await vault.call('search', { query: 'three', reason: 'why' })).toEqual({
      kind: 'refused',
      message:
        'error: search.queries: is missing; pass a list\nerror: search: does not accept "query", "reason"; remove it',
    });
  });
});

describe('invalid input', () => {
  it.each([
    ['read', { paths: [] }, 'error: read.paths: must have at least 1 entry'],
    ['read', { paths: 'a.md', head: 1.5 }, 'error: read.head: must be a whole number'],
    ['read', { paths: 'a.md', tail: 'five' }, 'error: read.tail: must be a number'],
    ['read', null, 'error: read: must be an object'],
    ['search', { queries: 5 }, 'error: search.queries: must be a list'],
    ['search', { queries: ['a'], from: 'b' }, 'error: search: does not accept "from"; remove it'],
    ['search', { queries: ['a'], mode: 'slow' }, 'error: search.mode: must be one of "fast", "deep"'],
    ['search', { queries: ['a'], limit: 0 }, 'error: search.limit: must be at least 1'],
    ['concat', { files: [{}] }, 'error: concat.files.0.path: is missing; pass text'],
  ])('is rejected by %s with a hint: %j', async (tool, given, message) => {
    const vault = await roomVault();
    expect(await vault.call(tool, given)).toEqual({ kind: 'refused', message });
  });

  it('is never reported with messages of the schema library', async () => {
    const vault = await roomVault();
    const values = [undefined, null, 0, -1, 1.5, 1e30, true, '', '\0', [], [3], [[]], {}, { path: 3 }];
    const keys = tools.flatMap(({ input }) =>
      Object.keys(z.toJSONSchema(input, { io: 'input' }).properties ?? {}),
    );
    for (const tool of tools)
      for (const given of [...values, ...keys.flatMap((key) => values.map((value) => ({ [key]: value })))]) {
        const outcome = await vault.call(tool.name, given);
        const message = outcome.kind === 'refused' ? outcome.message : '';
        expect(message).not.toMatch(/invalid|expected|received|too (?:small|big)|unrecognized/i);
      }
  });
});
