import { describe, expect, it } from 'vitest';
import { parseTaskFields } from '../../contract/index.ts';
import { buildTree, flattenVisible } from '../tree/build-tree.ts';
import { parseLineRange, formatLineRange } from './line-range.ts';
import { parseNoteFile } from './note.ts';
import { resolveLink, resolveWikilink } from './resolve-link.ts';

const tree = buildTree(
  [
    'vault/projects/',
    'vault/projects/x/',
    'vault/projects/x/state.md',
    'vault/projects/y/',
    'vault/projects/y/state.md',
    'vault/a.md',
  ].map((path) => ({
    path,
    kind: path.endsWith('/') ? ('folder' as const) : ('file' as const),
    tokens: 1,
    updated: null,
  })),
);

describe('parseNoteFile', () => {
  it('numbers lines as the read tool does, with any line endings', () => {
    const note = parseNoteFile('\uFEFF---\r\ntype: "x"\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n# H\r\n');
    expect(note.lines).toEqual(['---', 'type: "x"', 'tags:', '  - a', '  - b', '---', '# H']);
    expect(note.properties).toEqual([
      { key: 'type', value: 'x', line: 2 },
      { key: 'tags', value: 'a, b', line: 3 },
    ]);
    expect(note).toMatchObject({ body: '# H', frontmatterLines: 6 });
  });

  it('finds no frontmatter if it is not closed', () => {
    expect(parseNoteFile('---\na: b\n')).toMatchObject({
      frontmatterLines: 0,
      properties: [],
      body: '---\na: b',
    });
  });
});

describe('links', () => {
  it.each([
    ['state.md', { kind: 'file', path: 'projects/x/state.md', hash: '' }],
    ['../../a.md#L2', { kind: 'file', path: 'a.md', hash: 'L2' }],
    ['/a', { kind: 'file', path: 'a.md', hash: '' }],
    ['none.md', { kind: 'missing', path: 'projects/x/none.md' }],
    ['../../../out.md', { kind: 'nowhere' }],
    ['javascript:alert(1)', { kind: 'nowhere' }],
    ['//evil.example/x', { kind: 'nowhere' }],
    ['https://example.org', { kind: 'outside', url: 'https://example.org' }],
    ['#L3', { kind: 'here', hash: 'L3' }],
  ])('resolve %s', (url, target) => {
    expect(resolveLink(url, 'projects/x/tasks.md', tree)).toEqual(target);
  });

  it('resolve a bare name to the nearest file', () => {
    const from = (path: string) => resolveWikilink('state', path, tree);
    expect(from('projects/y/tasks.md')).toMatchObject({ path: 'projects/y/state.md' });
    expect(from('projects/x/tasks.md')).toMatchObject({ path: 'projects/x/state.md' });
    expect(resolveWikilink('gone', 'a.md', tree)).toEqual({ kind: 'missing', path: 'gone.md' });
  });
});

describe('the file view', () => {
  it('parses and formats the line ranges in URLs', () => {
    for (const text of ['L9', 'L9-14'])
      expect(formatLineRange(parseLineRange(`#${text}`) ?? { start: 0, end: 0 })).toBe(text);
    expect(parseLineRange('#heading')).toBeNull();
    expect(parseLineRange('L14-9')).toEqual({ start: 9, end: 14 });
  });

  it('distinguishes task fields from other lines', () => {
    expect(
      parseTaskFields('status: en-cours | prio: haute | projet: x')?.map(({ isUrgent }) => isUrgent),
    ).toEqual([false, true, false]);
    expect(parseTaskFields('Note: this is a sentence')).toBeNull();
    expect(parseTaskFields('a | b')).toBeNull();
  });

  it('shows matches and their parent folders in a filtered tree', () => {
    const shown = (filter: string) => flattenVisible(tree, new Set(), filter).map(({ path }) => path);
    expect(shown('')).toEqual(['projects', 'a.md']);
    expect(shown('y state')).toEqual(['projects', 'projects/y', 'projects/y/state.md']);
  });
});
