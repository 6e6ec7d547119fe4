import { z } from 'zod';
import { reason } from '../reason-schema.ts';
import { inboxChoice, updatePayload } from '../updates.ts';
import { at, id, key, shownPath } from './fields.ts';

export const inbox = z.object({
  waiting: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('question'),
        item: z.string(),
        path: shownPath,
        review: z.string(),
        proposals: z
          .array(z.int())
          .describe('Numbers of its proposals that can be answered, for example with "1 yes 2 no"'),
        choices: z.array(inboxChoice).describe('Answers that need no model'),
        versions: z
          .object({ note: shownPath, mine: z.string(), theirs: z.string() })
          .nullable()
          .describe('The two versions of a conflict; mine is the one that this machine had before'),
      }),
      z.object({
        kind: z.literal('held'),
        id,
        at,
        summary: z.string(),
        reason: reason.nullable().describe('Why the change needs a decision'),
        paths: z.array(shownPath),
        removes: z
          .array(z.object({ path: shownPath, lines: z.int() }))
          .describe('Number of removed lines, for files that lose any'),
      }),
    ]),
  ),
});
export const inboxReply = z.strictObject({
  text: z.string().trim().min(1),
  choice: inboxChoice.optional().describe('An answer that needs no model; text is then only shown'),
  files: updatePayload.shape.files.max(100).default([]),
  key: key.optional(),
});
