import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { noteLanguage } from './note-language.ts';
import { linkAt } from './open-link.ts';

const at = (text: string, offset: number) =>
  linkAt(EditorState.create({ doc: text, extensions: noteLanguage() }), offset);

describe('the link at a position', () => {
  it.each([
    ['a [[plan#Water|the plan]] b', 5, { kind: 'wikilink', target: 'plan#Water' }],
    ['a [text](other.md) b', 4, { kind: 'path', target: 'other.md' }],
    ['a <https://example.org> b', 6, { kind: 'path', target: 'https://example.org' }],
    ['a https://example.org/b c', 6, { kind: 'path', target: 'https://example.org/b' }],
    ['`[[plan]]`', 4, null],
    ['plain', 2, null],
  ])('in %j at %i', (text, offset, link) => {
    expect(at(text, offset)).toEqual(link);
  });
});
