import { expect, it } from 'vitest';
import { joinChanges } from './join-changes.ts';
import type { ChangeList } from './join-changes.ts';

type Change = ChangeList['changes'][number];

const change = (id: string, more: Partial<Change> = {}): Change => ({
  id,
  at: 0,
  day: '2026-06-01',
  origin: 'web',
  summary: '',
  said: null,
  state: 'applied',
  who: { kind: 'person', name: 'web' },
  paths: [],
  files: [],
  counts: { files: 1, created: 0, edited: 1, deleted: 0, moved: 0 },
  undoes: null,
  approves: null,
  isUndone: false,
  ...more,
});
const list = (ids: string, next: string | null): ChangeList => ({
  changes: ids.split('').map((id) => change(id)),
  next,
});
const idsOf = ({ changes }: ChangeList): string => changes.map(({ id }) => id).join('');

it('puts the newest above what is known, each once, and goes on where that ended', () => {
  const joined = joinChanges(list('fed', 'd'), list('edcba', 'a'));
  expect([idsOf(joined), joined.next]).toEqual(['fedcba', 'a']);
  // One that was found to have come earlier.
  expect(idsOf(joinChanges(list('fexd', 'd'), list('fedcb', 'b')))).toBe('fexdcb');
  expect(idsOf(joinChanges(list('fe', 'e'), undefined))).toBe('fe');
});

it('begins anew where something may lie between, and where there is no more', () => {
  expect(joinChanges(list('zyx', 'x'), list('cba', 'a'))).toEqual(list('zyx', 'x'));
  expect(joinChanges(list('ba', null), list('cba', null))).toEqual(list('ba', null));
});

it('knows what was taken back since, and what was brought back again', () => {
  const undo = { undoes: { id: 'a', said: null } };
  const after = (newest: Partial<Change>, known: Partial<Change>): boolean | undefined =>
    joinChanges(
      { changes: [change('z', newest), change('b')], next: 'b' },
      { changes: [change('b'), change('a', known)], next: null },
    ).changes.at(-1)?.isUndone;
  expect(after(undo, {})).toBe(true);
  expect(after({ ...undo, isUndone: true }, { isUndone: true })).toBe(false);
  expect(after(undo, { counts: { files: 2, created: 0, edited: 2, deleted: 0, moved: 0 } })).toBe(false);
});
