import { describe, expect, it } from 'vitest';
import { stripPartialThinking, stripThinking } from './strip-thinking.ts';

describe('thoughts in the text of a model', () => {
  it.each([
    ['a block', '<think>\nWhere?\n</think>\n\nIn the shed.', 'In the shed.'],
    ['the longer tag', '<thinking>Where?</thinking>In the shed.', 'In the shed.'],
    ['upper case', '<THINK>Where?</THINK> In the shed.', 'In the shed.'],
    ['several blocks', '<think>a</think>In the <think>b</think>shed.', 'In the shed.'],
    ['an unclosed block', '<think>\nWhere? Maybe in the shed', ''],
    ['an unclosed block after an answer', 'In the shed.\n<think>Or not?', 'In the shed.\n'],
    ['a closing tag without an opening one', 'Where?\n</think>\n\nIn the shed.', 'In the shed.'],
  ])('are removed: %s', (_name, text, rest) => {
    expect(stripThinking(text)).toBe(rest);
  });

  it.each([
    'In the shed.',
    'It is 3 < 4.',
    'The tag `<think>` opens and `</think>` closes thoughts.',
    '  a\n',
  ])('are not seen in other text: %s', (text) => {
    expect(stripThinking(text)).toBe(text);
  });

  it('are hidden while they are being written', () => {
    const text = '<think>Where?</think>In the shed: 3 < 4.';
    const shown = Array.from(text, (_, end) => stripPartialThinking(text.slice(0, end + 1)));
    expect(shown.filter((each) => !'In the shed: 3 < 4.'.startsWith(each))).toEqual([]);
    expect(shown.at(-1)).toBe('In the shed: 3 < 4.');
  });
});
