import { z } from 'zod';
import { daySchema } from '../day-schema.ts';
import { limit, shownPath } from './fields.ts';
import { tasks } from './tasks.ts';

const note = z.object({ path: shownPath, updated: z.string().describe('Local time of the last change') });

export const tagsQuery = z.object({
  tag: z.string().max(120).optional().describe('Also lists the notes of this tag and of the tags below it'),
  limit: limit.default(200),
});
export const tags = z.object({
  tags: z
    .array(z.object({ tag: z.string(), notes: z.int() }))
    .describe('All tags with their number of notes, most frequent first; a very long list is truncated'),
  notes: z.array(note).describe('Notes of the requested tag, newest first'),
  found: z.int().describe('Total number of notes of the requested tag'),
});
export const notesQuery = z.object({ limit: limit.default(10) });
export const notes = z.object({
  pinned: z.array(note).describe('Notes with the property `pinned: true`, by path'),
  recent: z
    .array(note)
    .describe('By the dates in the notes, their names or of their files; files copied together have no date'),
});

export const daysQuery = z
  .object({ from: daySchema, to: daySchema })
  .describe('The first and last day, at most 62 days');
const dayTask = tasks.shape.tasks.element
  .pick({ path: true, line: true, title: true, priority: true, time: true, repeat: true })
  .extend({ isAppointment: z.boolean() });
export const days = z.object({
  today: z.iso.date(),
  days: z
    .array(
      z.object({
        day: z.iso.date(),
        notes: z.array(shownPath).describe('Notes whose name starts with the day'),
        entries: z
          .array(z.object({ path: shownPath, line: z.int(), heading: z.string() }))
          .describe('Changelog entries'),
        tasks: z.array(dayTask).describe('Unfinished tasks that are due, and appointments'),
        found: z.int().describe('Total number of notes, entries and tasks; the lists may be truncated'),
      }),
    )
    .describe('Days on which there is something'),
});

export const mentionsQuery = z.object({ path: z.string(), limit: limit.default(20) });
export const mentions = z.object({
  notes: z
    .array(
      z.object({ path: shownPath, line: z.int(), text: z.string().describe('The first line that names it') }),
    )
    .describe('Notes that name a note without a link to it'),
});
