import { describe, expect, it } from 'vitest';
import { setHeading, toggleLineStyle, toggleTaskLine } from './format-text.ts';

describe('the style of lines', () => {
  it.each([
    ['bullet', ['a', '', 'b'], ['- a', '', '- b']],
    ['bullet', ['- a', '- b'], ['a', 'b']],
    ['bullet', ['- [ ] a', '1. b'], ['- a', '- b']],
    ['number', ['  a', '- b'], ['  1. a', '2. b']],
    ['task', ['- a', '2. b', '- [x] c'], ['- [ ] a', '- [ ] b', '- [ ] c']],
    ['task', ['- [ ] a', '- [x] b'], ['a', 'b']],
    ['quote', ['a', 'b'], ['> a', '> b']],
    ['quote', ['> a', '>b'], ['a', 'b']],
    ['bullet', [''], ['- ']],
  ] as const)('becomes %s, or is removed: %j', (style, lines, changed) => {
    expect(toggleLineStyle(lines, style)).toEqual(changed);
  });

  it('becomes a heading of a level, or text', () => {
    expect(setHeading('a', 2)).toBe('## a');
    expect(setHeading('# a', 2)).toBe('## a');
    expect(setHeading('## a', 2)).toBe('a');
    expect(setHeading('### a', 0)).toBe('a');
    expect(setHeading('#tag', 1)).toBe('# #tag');
  });

  it('ticks a task off and opens it again', () => {
    expect(toggleTaskLine('  - [ ] a [ ]')).toBe('  - [x] a [ ]');
    expect(toggleTaskLine('1. [X] a')).toBe('1. [ ] a');
    expect(toggleTaskLine('- a')).toBe('- [ ] a');
    expect(toggleTaskLine('a')).toBe('- [ ] a');
  });
});
