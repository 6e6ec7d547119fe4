import { describe, expect, it } from 'vitest';
import { taskParts } from '../../contract/index.ts';
import { buildTree, visibleRows } from '../tree/build-tree.ts';
import { parseLineRange, showLineRange } from './line-range.ts';
import { takeApart } from './note.ts';
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

describe('a note', () => {
  it('is numbered as read numbers it, whatever its line ends', () => {
    const note = takeApart('\uFEFF---\r\ntype: "x"\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n# H\r\n');
    expect(note.lines).toEqual(['---', 'type: "x"', 'tags:', '  - a', '  - b', '---', '# H']);
    expect(note.properties).toEqual([
      { key: 'type', value: 'x', line: 2 },
      { key: 'tags', value: 'a, b', line: 3 },
    ]);
    expect(note).toMatchObject({ body: '# H', skipped: 6 });
  });

  it('without an end of its frontmatter has none', () => {
    expect(takeApart('---\na: b\n')).toMatchObject({ skipped: 0, properties: [], body: '---\na: b' });
  });
});

describe('a link', () => {
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
  ])('%s leads where it should', (url, target) => {
    expect(resolveLink(url, 'projects/x/tasks.md', tree)).toEqual(target);
  });

  it('by name alone means the nearest file', () => {
    const from = (path: string) => resolveWikilink('state', path, tree);
    expect(from('projects/y/tasks.md')).toMatchObject({ path: 'projects/y/state.md' });
    expect(from('projects/x/tasks.md')).toMatchObject({ path: 'projects/x/state.md' });
    expect(resolveWikilink('gone', 'a.md', tree)).toEqual({ kind: 'missing', path: 'gone.md' });
  });
});

describe('in the file view', () => {
  it('a range of lines in an address is read back as it was written', () => {
    for (const text of ['L9', 'L9-14'])
      expect(showLineRange(parseLineRange(`#${text}`) ?? { start: 0, end: 0 })).toBe(text);
    expect(parseLineRange('#heading')).toBeNull();
    expect(parseLineRange('L14-9')).toEqual({ start: 9, end: 14 });
  });

  it('the metadata of a task is told from other lines', () => {
    expect(taskParts('status: en-cours | prio: haute | projet: x')?.map(({ isUrgent }) => isUrgent)).toEqual([
      false,
      true,
      false,
    ]);
    expect(taskParts('Note: this is a sentence')).toBeNull();
    expect(taskParts('a | b')).toBeNull();
  });

  it('a filtered tree shows what matches and what leads to it', () => {
    const shown = (filter: string) => visibleRows(tree, new Set(), filter).map(({ path }) => path);
    expect(shown('')).toEqual(['projects', 'a.md']);
    expect(shown('y state')).toEqual(['projects', 'projects/y', 'projects/y/state.md']);
  });
});
