import { describe, expect, it } from 'vitest';
import { createStore } from '../live/store.ts';
import { canSend, carryText } from './composer-state.ts';
import type { ComposerState } from './composer-state.ts';

describe('carryText', () => {
  const texts = { 'answer:i': 'Yes.' };

  it.each([
    ['moves a note to a question', { file: 'Words' }, 'file', 'ask', { ask: 'Words' }],
    ['moves a question to a note', { ask: 'Words' }, 'ask', 'file', { file: 'Words' }],
    ['does not overwrite an existing text', { file: 'A', ask: 'B' }, 'file', 'ask', { file: 'A', ask: 'B' }],
    ['keeps a note when an answer is started', { file: 'A' }, 'file', 'answer', { file: 'A' }],
    ['keeps an answer with its item', {}, 'answer', 'file', {}],
    ['keeps the text if the mode does not change', { file: 'A' }, 'file', 'file', { file: 'A' }],
  ] as const)('%s', (_, given, from, to, expected) => {
    const composer = createStore<ComposerState>({
      texts: { ...texts, ...given },
      attached: [],
      item: 'i',
      following: null,
    });
    carryText(composer, from, to);
    expect(composer.get().texts).toEqual({ ...texts, ...expected });
  });
});

describe('canSend', () => {
  const read = { inspection: { state: 'done', found: null } } as const;
  const reading = { inspection: { state: 'pending' } } as const;
  const refused = { inspection: { state: 'rejected', reason: 'encrypted' } } as const;

  it.each([
    ['a question', 'ask', '?', [], true],
    ['a blank question', 'ask', ' \n', [], false],
    ['a question with files that are still being read', 'ask', '?', [reading], true],
    ['a note', 'file', 'Words', [], true],
    ['files without text', 'file', '', [read], true],
    ['nothing', 'file', '', [], false],
    ['a note with a file that is still being read', 'file', 'Words', [read, reading], false],
    ['a note with a rejected file', 'file', 'Words', [refused], false],
    ['an answer', 'answer', 'Yes.', [read], true],
    ['an answer without text', 'answer', '', [read], false],
    ['an answer with a file that is still being read', 'answer', 'Yes.', [reading], false],
  ] as const)('accepts or rejects %s', (_, mode, typed, attached, expected) => {
    expect(canSend({ mode, typed, attached, item: 'i' })).toBe(expected);
  });

  it('rejects an answer without an inbox item', () => {
    expect(canSend({ mode: 'answer', typed: 'Yes.', attached: [], item: null })).toBe(false);
  });
});
