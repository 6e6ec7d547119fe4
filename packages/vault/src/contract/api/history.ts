import { z } from 'zod';
import { isTimeZone } from '../time-zone.ts';
import { at, diff, held, id, limit, shownPath } from './fields.ts';
import { toolRequest } from './tools.ts';

const changeState = z.enum(['applying', 'applied', 'reverted', 'held', 'approved', 'rejected']);
const change = z.object({
  id,
  at,
  origin: z.string(),
  summary: z.string(),
  state: changeState,
  paths: z.array(shownPath),
  isUndone: z.boolean().describe('Whether all of it was taken back since'),
});

/** Who made a change. */
const who = z.object({
  kind: z
    .enum(['person', 'agent', 'client', 'outside', 'sync', 'import', 'upkeep'])
    .describe('`client` is an AI tool or a script, `outside` another program than Keepsake'),
  name: z
    .string()
    .describe(
      'Of a client; of the person, web or terminal; of the update agent, where it has its words from',
    ),
});
export type Who = z.infer<typeof who>;
const said = z.string().nullable().describe('What the update agent says of it; null for all others');
const day = z.iso.date().describe('In the time zone that was asked for, else that of the server');
const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'no time zone of the IANA database')
  .describe('By which days are told apart, as Europe/Paris; left out, that of the server');
const fileKind = z.enum(['created', 'edited', 'deleted']);
const lines = z.int().nullable().describe('Null where they were not counted');
const changedFile = z.object({
  path: shownPath,
  kind: fileKind.nullable().describe('Null for a folder, and for what is older than this'),
  from: shownPath.nullable().describe('Where it was, if it was moved'),
  added: lines,
  removed: lines,
});
const listedChange = change.extend({
  day,
  who,
  said,
  undoes: z.object({ id, said }).nullable().describe('The change that it takes back'),
  approves: id.nullable().describe('The change that was held, and is made with it'),
  files: z.array(changedFile).describe('The first of them'),
  counts: z
    .object({ files: z.int(), created: z.int(), edited: z.int(), deleted: z.int(), moved: z.int() })
    .describe('Of all of them'),
});
const conflict = z
  .enum(['keep', 'replace', 'both'])
  .optional()
  .describe(
    'Where the same lines were changed since: keep what stands there now, replace it, or let both stand. Left out, nothing is written then',
  );
export const historyQuery = z.object({
  path: z.string().optional(),
  folder: z.string().optional().describe('Changes of anything in it'),
  kind: fileKind.optional().describe('What became of one of the files'),
  who: who.shape.kind.optional(),
  name: z.string().optional().describe('Of who'),
  day: day.optional(),
  timeZone: timeZone.optional(),
  held: z.enum(['true', 'false']).optional(),
  state: changeState.optional(),
  after: id.optional().describe('The last change of the list so far: those that follow it'),
  limit,
});
export const history = z.object({
  changes: z.array(listedChange),
  next: id.nullable().describe('To be sent as `after`; null when there are no more'),
});
export const historyDaysQuery = z.object({ timeZone: timeZone.optional() });
/** How a year was. */
export const historyDays = z.object({
  today: day,
  days: z
    .array(z.object({ day, who, changes: z.int() }))
    .describe('How many changes, for each day and maker that had any'),
  notes: z.array(z.object({ day, more: z.int() })).describe('How many notes more there were after a day'),
});
export const changeWithDiff = change.extend({ diffs: z.array(diff) });
export const changeQuery = z.object({ path: z.string().optional().describe('Only the diff of this file') });

/** What came of an undo, an approval or a restoration: a change of its own, or none when nothing was left to do. */
export const decided = z.object({
  id,
  as: id.nullable().describe('The change that was made; can be undone'),
});

export const undoRequest = z.strictObject({
  path: z.string().optional().describe('Only in this file'),
  conflict,
  origin: toolRequest.shape.origin.describe('Which client a process of the person asks for, for history'),
});
export const undone = decided.extend({ held });
export const decisionRequest = z.strictObject({ conflict });
export const restoreRequest = z.strictObject({ path: z.string() });
