import { z } from 'zod';

const wholeSentences = z
  .boolean()
  .optional()
  .describe('Remove the whole sentences with the words, not the words alone');

/** What to forget. */
export const forgetTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('words'), words: z.array(z.string().min(1)).min(1), wholeSentences }),
  z.strictObject({
    kind: z.literal('path'),
    path: z.string(),
    lines: z
      .strictObject({ start: z.int().min(1), end: z.int().min(1) })
      .nullable()
      .describe('Null for the whole file'),
    wholeSentences,
  }),
  z
    .strictObject({ kind: z.literal('update'), id: z.string(), wholeSentences })
    .describe('What an update added'),
  z
    .strictObject({ kind: z.literal('request'), id: z.string(), wholeSentences })
    .describe('What a held update asks to forget; forgetting it approves the update'),
]);

export const forgetRequest = z.strictObject({
  target: forgetTarget,
  shown: z.string().describe('`shown` of the plan. If something else would be removed by now, nothing is'),
});

const place = z.object({
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
});
const passage = z.object({
  line: z.int().nullable().describe('Null outside of the files of the vault'),
  before: z
    .array(z.object({ text: z.string(), fate: z.enum(['stays', 'goes', 'goes-too']) }))
    .describe('The sentence in parts; `goes-too`: removed, but not part of the words to forget'),
  after: z.string().describe('Empty if nothing is left'),
  count: z.int().describe('The number of versions or rows that contain it'),
});
const unreachable = z
  .array(
    z.object({
      kind: z.enum(['backup', 'machine', 'provider', 'shell', 'document', 'file', 'repository']),
      name: z.string(),
    }),
  )
  .describe('Places that may contain the words and cannot be changed');

export const forgetPlan = z.object({
  places: z.array(
    place.extend({
      effect: z
        .enum(['edited', 'renamed', 'removed', 'replaced', 'rebuilt'])
        .describe('`removed`, `replaced`: as a whole; `rebuilt`: generated again without the words'),
      passages: z.array(passage).describe('Outside of files, those that no earlier place contains'),
    }),
  ),
  unreachable,
  shown: z.string().describe('A code for all of this, to be sent back'),
});
export const forgetReceipt = z.object({
  places: z.array(place),
  remaining: z.array(place).describe('Places that still contain the words'),
  unreachable,
});
