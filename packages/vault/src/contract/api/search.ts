import { z } from 'zod';
import { replacedEntries, searchValue, treeValue } from '../tool-results.ts';
import { limit, shownPath } from './fields.ts';

export const searchRequest = z.strictObject({
  queries: z.array(z.string()).min(1).max(20),
  mode: z.enum(['fast', 'deep']).default('fast'),
  scopes: z.array(z.string()).optional().describe('Path patterns, as projects/*/state.md'),
  limit: z.int().min(1).max(50).optional(),
  context: z.int().min(0).max(50).optional().describe('Lines above and below'),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
});
export const searchFound = searchValue;

export const treeQuery = z.object({
  path: z.string().optional(),
  depth: z.coerce.number().int().min(0).max(100).optional(),
});
export const treeShown = treeValue.extend({ text: z.string() });

export const backlinksQuery = z.object({ path: z.string(), limit });
export const backlinks = z.object({
  notes: z.array(
    z.object({ path: shownPath, line: z.int(), text: z.string().describe('Of the first line that does') }),
  ),
});

export const verifyRequest = z.strictObject({ document: z.string() });
const place = { path: shownPath, start: z.int(), end: z.int() };
const range = z.object({ start: z.int(), end: z.int() });
export const verified = z.object({
  blocks: z.array(
    z.discriminatedUnion('state', [
      z.object({ ...place, state: z.literal('same'), replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('moved'), now: range, replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('changed'), reason: z.string() }),
    ]),
  ),
});
