import { expect, it } from 'vitest';
import type { VaultPath } from '../../vault/index.ts';
import { formatInstruction, formatTidyItem, parseTidyAnswer } from './tidy-item.ts';

it.each([
  ['yes', { 1: 'yes', 2: 'yes', 3: 'yes' }],
  ['Non.', { 1: 'no', 2: 'no', 3: 'no' }],
  ['1 yes 2 no', { 1: 'yes', 2: 'no' }],
  ['1y, 2n, 3y', { 1: 'yes', 2: 'no', 3: 'yes' }],
  ['yes 1 3; no 2', { 1: 'yes', 2: 'no', 3: 'yes' }],
  ['1 2 : oui', { 1: 'yes', 2: 'yes' }],
])('parses the answer %s', (text, expected) => {
  expect(Object.fromEntries(parseTidyAnswer(text, [1, 2, 3]) ?? [])).toEqual(expected);
});

it.each(['', '4 yes', '1 yes 1 no', '1', 'yes, but later', '1 yes 2', 'no "thanks"', 'yes no'])(
  'leaves %s to the update agent',
  (text) => {
    expect(parseTidyAnswer(text, [1, 2, 3])).toBeNull();
  },
);

it('a quoted line cannot become a heading of the item or end the instruction', () => {
  const line = (text: string) => ({ path: 'vault/tasks.md' as VaultPath, line: 3, text });
  const proposal = {
    kind: 'done' as const,
    target: line('# Buy milk'),
    evidence: [line('## Milk bought'), line('- [ ] more')],
  };
  const item = formatTidyItem('2026-11-18-tidying', [{ number: 1, proposal }], {
    language: 'en',
    cost: null,
  });
  expect(item.match(/^#.*$/gm)).toEqual(['# Tidying', '## 1. Is this task done?']);
  expect(formatInstruction(proposal, 'fr')).toBe(
    'La tâche “Buy milk” (vault/tasks.md:3) est faite ou n’est plus nécessaire, comme le dit “Milk bought” (vault/tasks.md:3), “more” (vault/tasks.md:3). Retire cette tâche de sa liste, avec ses détails. Ne change rien d’autre, sauf l’entrée du journal : son titre commence par “Rangé : ”.',
  );
});
