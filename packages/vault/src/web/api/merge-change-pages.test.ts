import { expect, it } from 'vitest';
import { mergeChangePages } from './merge-change-pages.ts';
import type { ChangePage } from './merge-change-pages.ts';

type Change = ChangePage['changes'][number];

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
const list = (ids: string, next: string | null): ChangePage => ({
  changes: ids.split('').map((id) => change(id)),
  next,
});
const idsOf = ({ changes }: ChangePage): string => changes.map(({ id }) => id).join('');

it('mergeChangePages puts the newest page above the known changes without duplicates, and keeps their cursor', () => {
  const joined = mergeChangePages(list('fed', 'd'), list('edcba', 'a'));
  expect([idsOf(joined), joined.next]).toEqual(['fedcba', 'a']);
  // A change that was recorded late, with an earlier time.
  expect(idsOf(mergeChangePages(list('fexd', 'd'), list('fedcb', 'b')))).toBe('fexdcb');
  expect(idsOf(mergeChangePages(list('fe', 'e'), undefined))).toBe('fe');
});

it('mergeChangePages returns only the newest page if there may be a gap, or if that page is the last one', () => {
  expect(mergeChangePages(list('zyx', 'x'), list('cba', 'a'))).toEqual(list('zyx', 'x'));
  expect(mergeChangePages(list('ba', null), list('cba', null))).toEqual(list('ba', null));
});

it('mergeChangePages updates known changes that were undone or redone since', () => {
  const undo = { undoes: { id: 'a', said: null } };
  const after = (newest: Partial<Change>, known: Partial<Change>): boolean | undefined =>
    mergeChangePages(
      { changes: [change('z', newest), change('b')], next: 'b' },
      { changes: [change('b'), change('a', known)], next: null },
    ).changes.at(-1)?.isUndone;
  expect(after(undo, {})).toBe(true);
  expect(after({ ...undo, isUndone: true }, { isUndone: true })).toBe(false);
  expect(after(undo, { counts: { files: 2, created: 0, edited: 2, deleted: 0, moved: 0 } })).toBe(false);
});
