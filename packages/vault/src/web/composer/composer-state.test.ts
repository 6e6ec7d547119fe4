import { describe, expect, it } from 'vitest';
import { createStore } from '../live/store.ts';
import { canSend, carryText } from './composer-state.ts';
import type { Composer } from './composer-state.ts';

describe('carryText', () => {
  const texts = { 'answer:i': 'Yes.' };

  it.each([
    ['moves a note to a question', { file: 'Words' }, 'file', 'ask', { ask: 'Words' }],
    ['moves a question to a note', { ask: 'Words' }, 'ask', 'file', { file: 'Words' }],
    ['keeps a text that is there already', { file: 'A', ask: 'B' }, 'file', 'ask', { file: 'A', ask: 'B' }],
    ['keeps a note when an answer is begun', { file: 'A' }, 'file', 'answer', { file: 'A' }],
    ['keeps an answer with its item', {}, 'answer', 'file', {}],
    ['keeps a text in its own mode', { file: 'A' }, 'file', 'file', { file: 'A' }],
  ] as const)('%s', (_, given, from, to, expected) => {
    const composer = createStore<Composer>({
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
  const read = { look: { state: 'read', found: null } } as const;
  const reading = { look: { state: 'reading' } } as const;
  const refused = { look: { state: 'refused', reason: 'encrypted' } } as const;

  it.each([
    ['a question', 'ask', '?', [], true],
    ['a question of blanks', 'ask', ' \n', [], false],
    ['a question beside files that are still read', 'ask', '?', [reading], true],
    ['a note', 'file', 'Words', [], true],
    ['files without words', 'file', '', [read], true],
    ['nothing', 'file', '', [], false],
    ['a note with a file that is still read', 'file', 'Words', [read, reading], false],
    ['a note with a file that was refused', 'file', 'Words', [refused], false],
    ['an answer', 'answer', 'Yes.', [read], true],
    ['an answer without words', 'answer', '', [read], false],
    ['an answer with a file that is still read', 'answer', 'Yes.', [reading], false],
  ] as const)('decides about %s', (_, mode, typed, attached, expected) => {
    expect(canSend({ mode, typed, attached, item: 'i' })).toBe(expected);
  });

  it('does not send an answer to nothing', () => {
    expect(canSend({ mode: 'answer', typed: 'Yes.', attached: [], item: null })).toBe(false);
  });
});
