import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeTaskLines } from './merge-task-lines.ts';

/** Merges one line; the result must not depend on the order of the sides. */
function merge(base: string, a: string, b: string): string | undefined {
  const [one, other] = [mergeTaskLines([base], [a], [b]), mergeTaskLines([base], [b], [a])];
  if (a !== b) expect(one === null).toBe(other === null);
  return one?.[0];
}

it.each([
  ['- [ ] Pay', '- [x] Pay', '- [ ] Pay 📅 2026-12-01', '- [x] Pay 📅 2026-12-01'],
  [
    '- [ ] Pay',
    '- [x] Pay ✅ 2026-11-19',
    '- [ ] Pay ⏫ 📅 2026-12-01',
    '- [x] Pay ✅ 2026-11-19 ⏫ 📅 2026-12-01',
  ],
  [
    '- [ ] Pay 📅 2026-11-30',
    '- [x] Pay 📅 2026-11-30',
    '- [ ] Pay 📅 2026-12-05',
    '- [x] Pay 📅 2026-12-05',
  ],
  ['- [ ] Pay 📅 2026-11-30 ^a1', '- [/] Pay 📅 2026-11-30 ^a1', '- [ ] Pay ^a1', '- [/] Pay ^a1'],
  ['- [ ] Pay ^a1', '- [ ] Pay the tax ^a1', '- [x] Pay #tax ^a1', '- [x] Pay the tax #tax ^a1'],
  ['1. [ ] Pay', '1. [x] Pay', '1. [ ] Pay [due:: 2026-12-01]', '1. [x] Pay [due:: 2026-12-01]'],
  [
    '- [ ] Pay due: 2026-11-30',
    '- [x] Pay due: 2026-11-30',
    '- [ ] Pay due: 2026-12-05 09:00',
    '- [x] Pay due: 2026-12-05 09:00',
  ],
  ['- [ ] Pay', '- [x] Pay ⏫', '- [ ] Pay ⏫', '- [x] Pay ⏫'],
  [
    'status: to-do | prio: high',
    'status: done | prio: high',
    'status: to-do | prio: low | deadline: 2026-12-01',
    'status: done | prio: low | deadline: 2026-12-01',
  ],
])('merges %j when one side wrote %j and the other %j', (base, a, b, merged) => {
  expect(merge(base, a, b)).toBe(merged);
});

it.each([
  ['- [ ] Pay', '- [ ] Pay 📅 2026-12-01', '- [ ] Pay 📅 2026-12-02'],
  ['- [ ] Pay', '- [ ] Pay 📅 2026-12-01', '- [ ] Pay [due:: 2026-12-02]'],
  ['- [ ] Pay 📅 2026-12-01', '- [ ] Pay 📅 2026-12-02', '- [ ] Pay'],
  ['- [ ] Pay', '- [x] Pay', '- [/] Pay'],
  ['- [ ] Pay', '- [ ] Pay the tax', '- [x] Pay the rent'],
  ['- [ ] Pay 📅 2026-12-01 📅 2026-12-02', '- [x] Pay 📅 2026-12-01', '- [ ] Pay 📅 2026-12-02'],
  ['Pay', 'Pay the tax', 'Pay 📅 2026-12-01'],
  ['status: to-do', 'status: done', 'status: waiting'],
  ['- [ ] Pay', '- [ ] Buy bread', '- [x] Pay'],
])('does not merge %j with %j and %j', (base, a, b) => {
  expect(merge(base, a, b)).toBeUndefined();
});

it('removes a tag that is the start of another one', () => {
  expect(merge('- [ ] Pay #taxes #tax', '- [ ] Pay #taxes', '- [x] Pay #taxes #tax')).toBe(
    '- [x] Pay #taxes',
  );
});

it('merges several tasks with the lines that one side added, but not if both did at one place', () => {
  const base = ['- [ ] a', '- [ ] b'];
  const a = ['- [x] a', '- [ ] b 📅 2026-12-01'];
  const b = ['- [ ] a ⏫', '- [x] b'];
  expect(mergeTaskLines(base, a, b)).toEqual(['- [x] a ⏫', '- [x] b 📅 2026-12-01']);
  const merged = ['- [x] a ⏫', '- [x] b 📅 2026-12-01'];
  expect(mergeTaskLines(base, a, [...b, '- [ ] c'])).toEqual([...merged, '- [ ] c']);
  expect(mergeTaskLines(base, ['new', ...a], [...b, '- [ ] c'])).toEqual(['new', ...merged, '- [ ] c']);
  expect(mergeTaskLines(base, [...a, '- [ ] d'], [...b, '- [ ] c'])).toBeNull();
  expect(mergeTaskLines(base, a, ['- [x] b'])).toBeNull();
  expect(mergeTaskLines(base, ['- [ ] b', '- [ ] c'], ['- [x] a', '- [ ] b'])).toBeNull();
  expect(mergeTaskLines(['a', 'b'], ['b', 'c'], ['a', 'd'])).toBeNull();
});

it('applies the change of one side to the unchanged line of the other', () => {
  const piece = fc.constantFrom(
    'Pay',
    '📅 2026-12-01',
    '⏫',
    '#tax',
    '[x:: y]',
    '✅ 2026-11-19',
    '^a',
    'now',
  );
  const line = fc
    .tuple(fc.constantFrom(' ', 'x', '/'), fc.array(piece, { minLength: 1, maxLength: 5 }))
    .map(([state, pieces]) => `- [${state}] ${pieces.join(' ')}`);
  fc.assert(
    fc.property(line, line, (base, changed) => {
      const merged = mergeTaskLines([base], [changed], [base]);
      expect(mergeTaskLines([base], [base], [changed])).toEqual(merged);
      if (merged !== null) expect(merged).toEqual([changed]);
      expect(mergeTaskLines([base], [changed], [changed]) ?? [changed]).toEqual([changed]);
    }),
  );
});
