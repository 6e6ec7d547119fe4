import { z } from 'zod';
import { daySchema } from '../day-schema.ts';
import { id, limit, shownPath } from './fields.ts';

const taskStatus = z.enum(['todo', 'started', 'waiting', 'done', 'cancelled']);
const priority = z.int().min(0).max(2).describe('0 is the highest, 2 the default');
const deadline = z.iso
  .date()
  .nullable()
  .describe('Deadline, or the day it is scheduled for; null if it has none');
const task = z.object({
  path: shownPath,
  line: z.int().describe('Line number of the task in its file'),
  title: z.string(),
  form: z.enum(['heading', 'checkbox']),
  status: taskStatus,
  priority,
  day: deadline,
  time: z.string().nullable().describe('Local time, e.g. 14:30'),
  repeat: z.string().nullable().describe('How it repeats, in the words of the note'),
});

export const tasksQuery = z.object({
  status: taskStatus.optional().describe('Default: all that are unfinished'),
  folder: z.string().optional().describe('Only tasks in this folder or note'),
  due: z
    .enum(['overdue', 'today', 'week', 'later', 'none'])
    .optional()
    .describe('`week`: in the 7 days after today; `none`: without a deadline'),
  limit: limit.default(200),
});
export const tasks = z.object({
  day: z.iso.date().describe('Today, in the time zone of the server'),
  tasks: z.array(task).describe('By deadline, then by priority'),
  found: z.int().describe('Total number of matches, including those that are not shown'),
  folders: z
    .array(z.object({ path: shownPath, tasks: z.int().describe('Number of unfinished tasks') }))
    .describe('Projects, other folders and notes with unfinished tasks, whatever the filter'),
});

export const taskChangeRequest = z.strictObject({
  path: z.string(),
  line: z.int().min(1),
  expected: z
    .union([
      z.strictObject({
        title: z.string().max(300),
        status: taskStatus,
        priority,
        day: z.iso.date().nullable(),
      }),
      z.strictObject({ text: z.string().max(100_000).describe('Its line in the note, unchanged') }),
    ])
    .describe('The task as it was listed. If it is not so any more, nothing is written'),
  set: z
    .strictObject({
      status: taskStatus.optional(),
      priority: priority.optional(),
      day: daySchema.nullable().optional().describe('Null removes the deadline'),
    })
    .describe('The values to change'),
});
export const taskChangeResponse = z.object({
  change: id.nullable().describe('Change id, for undo; null if nothing had to change'),
  repeat: z
    .object({
      kind: z
        .enum(['repeated', 'unknown', 'ended'])
        .describe(
          '`repeated`: the next task is above the completed one. `unknown`: the rule is not understood, so there is no next task. `ended`: the rule has no further day',
        ),
      rule: z.string().describe('In the words of the note'),
      day: z.iso.date().nullable().describe('Day of the next task; null if it has none'),
    })
    .nullable()
    .describe(
      'The repetition of the task that was completed; null if it does not repeat or was not completed',
    ),
});
