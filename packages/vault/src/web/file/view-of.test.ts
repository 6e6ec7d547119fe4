import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { isTextFile, maxRenderedLength, viewOf } from './view-of.ts';
import type { FileMode, FileView } from './view-of.ts';

const node = (isFolder: boolean) => ({
  path: 'a.md',
  name: 'a.md',
  isFolder,
  tokens: 1,
  updated: null,
  depth: 1,
  children: [],
});
const note = { text: '# A', etag: '"1"', mediaType: 'text/markdown; charset=utf-8' };
const image = { text: '', etag: '"2"', mediaType: 'image/png' };
const missing = new ApiError('no-such-file', 'there is no a.md', '');
const offline = new ApiError('offline', 'cannot reach the server', '');
const absent = { text: '', etag: '', mediaType: 'text/markdown' };
const state = {
  path: 'a.md',
  node: node(false),
  file: note,
  error: null,
  mode: 'rendered' as FileMode,
  bodyLength: 3,
};
type State = Parameters<typeof viewOf>[0];

describe('viewOf', () => {
  it.each<[string, Partial<State>, FileView]>([
    ['a note', {}, { kind: 'rendered' }],
    ['a note at the limit', { bodyLength: maxRenderedLength }, { kind: 'rendered' }],
    ['a note over the limit', { bodyLength: maxRenderedLength + 1 }, { kind: 'source', isTooLong: true }],
    ['a long note as source', { mode: 'source', bodyLength: 9e6 }, { kind: 'source', isTooLong: false }],
    ['a note as source', { mode: 'source' }, { kind: 'source', isTooLong: false }],
    ['a note to edit', { mode: 'edit' }, { kind: 'edit', file: note }],
    ['the history of a note', { mode: 'history' }, { kind: 'history' }],
    ['a note that the tree does not list yet', { node: undefined }, { kind: 'rendered' }],
    ['a note that could not be refetched', { error: offline }, { kind: 'rendered' }],
    [
      'a draft of a note that could not be refetched',
      { mode: 'edit', error: offline },
      { kind: 'edit', file: note },
    ],
    ['an image', { file: image }, { kind: 'document', file: image, isText: false }],
    [
      'the text of a document',
      { file: image, mode: 'source' },
      { kind: 'document', file: image, isText: true },
    ],
    [
      'an image that has a draft',
      { file: image, mode: 'edit' },
      { kind: 'document', file: image, isText: false },
    ],
    ['the history of an image', { file: image, mode: 'history' }, { kind: 'history' }],
    ['a file that is not loaded', { file: undefined }, { kind: 'empty' }],
    ['a draft before its file is loaded', { file: undefined, mode: 'edit' }, { kind: 'empty' }],
    ['a file that cannot be read', { file: undefined, error: offline }, { kind: 'empty' }],
    ['the history before the file is loaded', { file: undefined, mode: 'history' }, { kind: 'history' }],
    ['a missing file', { file: undefined, error: missing }, { kind: 'missing' }],
    ['a missing file to create', { error: missing, mode: 'edit' }, { kind: 'edit', file: absent }],
    ['the history of a missing file', { error: missing, mode: 'history' }, { kind: 'history' }],
    ['a note that was deleted while it was open', { error: missing }, { kind: 'missing' }],
    [
      'the source of a note that was deleted while it was open',
      { error: missing, mode: 'source' },
      { kind: 'empty' },
    ],
    ['a folder', { node: node(true), file: undefined }, { kind: 'folder', node: node(true) }],
    ['a folder in any mode', { node: node(true), mode: 'edit' }, { kind: 'folder', node: node(true) }],
    ['the vault before its tree is loaded', { path: '', node: undefined }, { kind: 'tree-loading' }],
  ])('shows %s', (_, given, expected) => {
    expect(viewOf({ ...state, ...given })).toEqual(expected);
  });
});

describe('isTextFile', () => {
  it.each([
    [note, null, true],
    [note, offline, true],
    [note, missing, false],
    [image, null, false],
    [undefined, null, false],
  ])('decides whether to offer source view and editing: case %#', (file, error, expected) => {
    expect(isTextFile(file, error)).toBe(expected);
  });
});
