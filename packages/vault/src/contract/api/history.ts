import { z } from 'zod';
import { daySchema } from '../day-schema.ts';
import { isTimeZone } from '../time-zone.ts';
import { at, diff, held, id, limit, shownPath } from './fields.ts';

const changeState = z.enum(['applying', 'applied', 'reverted', 'held', 'approved', 'rejected']);
const change = z.object({
  id,
  at,
  origin: z.string(),
  summary: z.string(),
  state: changeState,
  paths: z.array(shownPath),
  isUndone: z.boolean().describe('Whether the whole change has been undone'),
});

/** The author of a change. */
const who = z.object({
  kind: z
    .enum(['person', 'agent', 'client', 'outside', 'sync', 'import', 'upkeep'])
    .describe('`client`: an AI tool or a script; `outside`: a program other than Keepsake'),
  name: z
    .string()
    .describe(
      'Name of the client; for a person, web or terminal; for the update agent, the source of its input',
    ),
});
export type Who = z.infer<typeof who>;
const said = z.string().nullable().describe('Summary by the update agent; null for other authors');
const day = daySchema.describe('In the requested time zone, or else in that of the server');
const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'not a time zone of the IANA database')
  .describe('Time zone of the days, e.g. Europe/Paris. Default: that of the server');
const fileKind = z.enum(['created', 'edited', 'deleted']);
const lines = z.int().nullable().describe('Null if not counted');
const changedFile = z.object({
  path: shownPath,
  kind: fileKind.nullable().describe('Null for a folder, and for changes recorded before this field existed'),
  from: shownPath.nullable().describe('Previous path, if it was moved'),
  added: lines,
  removed: lines,
});
const listedChange = change.extend({
  day,
  who,
  said,
  undoes: z.object({ id, said }).nullable().describe('The change that this one undoes'),
  approves: id.nullable().describe('The held change that this one applies'),
  files: z.array(changedFile).describe('The first files; counts covers all of them'),
  counts: z
    .object({ files: z.int(), created: z.int(), edited: z.int(), deleted: z.int(), moved: z.int() })
    .describe('Totals over all files'),
});
const conflict = z
  .enum(['keep', 'replace', 'both'])
  .optional()
  .describe(
    'If the same lines were changed since: keep the current lines, replace them, or keep both. Without it, a conflict writes nothing',
  );
export const historyQuery = z.object({
  path: z.string().optional(),
  folder: z.string().optional().describe('Only changes in this folder'),
  kind: fileKind.optional().describe('Only changes with a file of this kind'),
  who: who.shape.kind.optional(),
  name: z.string().optional().describe('Name of the author'),
  day: day.optional(),
  timeZone: timeZone.optional(),
  held: z.enum(['true', 'false']).optional(),
  state: changeState.optional(),
  after: id.optional().describe('Id of the last change of the previous page'),
  limit,
});
export const history = z.object({
  changes: z.array(listedChange),
  next: id.nullable().describe('Pass it as `after` for the next page; null on the last page'),
});
export const historyDaysQuery = z.object({ timeZone: timeZone.optional() });
/** Activity per day over the last year. */
export const historyActivity = z.object({
  today: day,
  days: z.array(z.object({ day, who, changes: z.int() })).describe('Number of changes per day and author'),
  notes: z.array(z.object({ day, more: z.int() })).describe('Change in the number of notes on a day'),
});
export const changeWithDiff = change.extend({ diffs: z.array(diff) });
export const changeQuery = z.object({ path: z.string().optional().describe('Only the diff of this file') });

/** The result of an undo, an approval or a restore: a new change, or none when there was nothing to do. */
export const changeDecision = z.object({
  id,
  as: id.nullable().describe('The new change, which can be undone'),
});

export const undoRequest = z.strictObject({
  path: z.string().optional().describe('Undo only in this file'),
  conflict,
});
export const undoResponse = changeDecision.extend({ held });
export const decisionRequest = z.strictObject({ conflict });
export const restoreRequest = z.strictObject({ path: z.string() });
