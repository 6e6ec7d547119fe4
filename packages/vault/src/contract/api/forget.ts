import { z } from 'zod';

/** What to forget. */
export const forgetRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('words'), words: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('path'),
    path: z.string(),
    lines: z
      .strictObject({ start: z.int().min(1), end: z.int().min(1) })
      .nullable()
      .describe('Null for the whole file'),
  }),
  z.strictObject({ kind: z.literal('update'), id: z.string() }),
]);

const places = z.array(
  z.object({
    store: z.enum([
      'files',
      'history',
      'journal',
      'queue',
      'answers',
      'sessions',
      'index',
      'sync',
      'state',
      'temporary',
    ]),
    name: z.string(),
    count: z.int().describe('The number of files, versions or rows'),
  }),
);
const unreachable = z
  .array(
    z.object({
      kind: z.enum(['backup', 'machine', 'provider', 'shell', 'document', 'file', 'repository']),
      name: z.string(),
    }),
  )
  .describe('Places that may contain the words and cannot be changed');

export const forgetPlan = z.object({ places, unreachable });
export const forgetReceipt = z.object({
  places,
  remaining: places.describe('Places that still contain the words'),
  unreachable,
});
