import { z } from 'zod';
import { daySchema, formatToday, todayOutput } from '../contract/index.ts';
import type { TodayValue } from '../contract/index.ts';
import { collectToday, formatPath } from '../vault/index.ts';
import type { Today, TodayItem } from '../vault/index.ts';
import { defineReadTool } from './define-tool.ts';
import { modelResultLimits } from './run.ts';

const input = z.strictObject({
  day: daySchema.nullish().describe('Day, for example 2026-07-14. Default: today'),
});

/** The text is for models; the command line formats the value itself. */
const maxLines = 200;

export const todayTool = defineReadTool({
  name: 'today',
  title: 'Show today',
  description: [
    'List overdue and due tasks, appointments, waiting tasks and recently changed files of the whole vault, each task with its',
    'path and line. Use it when the user asks what to do, what is due or what is new. Example: {"day": "2026-07-14"}',
  ].join(' '),
  input,
  output: todayOutput,
  async run({ day }, { view, today, bounds }) {
    const found = await collectToday(view, day ?? today());
    const value = showToday(found, Math.floor(bounds.tokens / tokensPerItem));
    // Models have little use for the far future.
    const later = bounds.tokens <= modelResultLimits.tokens ? {} : { later: found.later.map(showItem) };
    return {
      text: formatToday(value, { language: 'en', maxRows: maxLines }),
      images: [],
      value: { ...value, ...later },
    };
  },
});

/** Limits each list so that all of them fit into the result of a model. */
const tokensPerItem = 400;

/** The day as every interface returns it; each list has at most `maxItems` items. */
export function showToday({ day, later, ...found }: Today, maxItems: number): TodayValue {
  const show = (items: readonly TodayItem[]) => items.slice(0, maxItems).map(showItem);
  return {
    day,
    overdue: show(found.overdue),
    due: show(found.due),
    appointments: show(found.appointments),
    upcoming: show(found.upcoming),
    waiting: show(found.waiting),
    invalid: found.invalid.slice(0, maxItems).map(({ path, lineNumber, title, invalidDay = '' }) => ({
      path: formatPath(path),
      line: lineNumber,
      title,
      day: invalidDay,
    })),
    changed: found.changed
      .slice(0, maxItems)
      .map(({ path, updated }) => ({ path: formatPath(path), updated })),
    counts: { ...countItems(found), later: later.length },
    errors: [],
  };
}

function countItems({
  overdue,
  due,
  appointments,
  upcoming,
  waiting,
  invalid,
  changed,
}: Omit<Today, 'day' | 'later'>) {
  return {
    overdue: overdue.length,
    due: due.length,
    appointments: appointments.length,
    upcoming: upcoming.length,
    waiting: waiting.length,
    invalid: invalid.length,
    changed: changed.length,
  };
}

function showItem({ path, lineNumber, title, when, repeat, priority }: TodayItem) {
  const { day = null, time = null, endTime = null } = when ?? {};
  return { path: formatPath(path), line: lineNumber, title, day, time, endTime, repeat, priority };
}
