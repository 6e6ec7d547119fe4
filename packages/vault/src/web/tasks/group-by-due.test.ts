import { expect, it } from 'vitest';
import type { TaskItem } from '../api/notes-api.ts';
import { daysBetween, groupByDue } from './group-by-due.ts';
import { parseTaskSearch } from './task-search.ts';

const task = (day: string | null): TaskItem => ({
  path: 'vault/a.md',
  line: 1,
  title: String(day),
  form: 'checkbox',
  status: 'todo',
  priority: 2,
  day,
  time: null,
  repeat: null,
});

it('groups tasks by deadline and leaves out empty groups', () => {
  const days = ['2026-11-01', '2026-11-18', '2026-11-25', '2026-11-26', null];
  const groups = groupByDue(days.map(task), '2026-11-18');
  expect(groups.map(({ due, tasks }) => [due, tasks.length])).toEqual([
    ['overdue', 1],
    ['today', 1],
    ['week', 1],
    ['later', 1],
    ['none', 1],
  ]);
  expect(groupByDue([task(null)], '2026-11-18').map(({ due }) => due)).toEqual(['none']);
});

it('counts days over a change of the clock', () => {
  expect(daysBetween('2026-10-24', '2026-10-26')).toBe(2);
  expect(daysBetween('2026-11-18', '2026-11-17')).toBe(-1);
});

it('drops invalid search parameters', () => {
  expect(parseTaskSearch({ view: 'board', status: 'done', due: 'soon', folder: '' })).toEqual({
    view: 'board',
    status: 'done',
    due: undefined,
    folder: undefined,
  });
});
