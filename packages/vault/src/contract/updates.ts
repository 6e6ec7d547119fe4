import { z } from 'zod';
import { reason } from './reason-schema.ts';
import { replacedEntries } from './tool-results.ts';

/** The JSON form of an update. */
export const updatePayload = z.strictObject({
  text: z.string(),
  files: z
    .array(z.strictObject({ name: z.string(), data: z.base64() }))
    .describe('Attached images and markdown files'),
  source: z.strictObject({
    kind: z.enum(['person', 'other']).describe('Whether the text is from the user'),
    name: z.string().describe('Origin of the text: a command, a client, an email'),
  }),
  inboxRef: z.string().optional().describe('The inbox item that this answers'),
});

const paths = z.array(z.string()).describe('Paths of the changed files');

/** The result of an update. */
export const updateResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('filed'),
    summary: z.string(),
    paths,
    asked: z.string().nullable().describe('The inbox item with a question of the agent'),
  }),
  z.object({ kind: z.literal('held'), summary: z.string(), paths, reason }),
  z.object({
    kind: z.literal('unchanged'),
    summary: z.string(),
    known: z
      .array(z.string())
      .default([])
      .describe('Existing lines with the same information, e.g. vault/tasks.md:12-14'),
  }),
]);

export type UpdatePayload = z.infer<typeof updatePayload>;

/**
 * The internal form of an update, with binary files. Statements of the user have priority over those of a document or
 * an email.
 */
export type UpdateInput = Omit<UpdatePayload, 'files'> & {
  files: UpdateFile[];
  /** When it was submitted, in milliseconds since 1970; it may have been queued since. */
  receivedAt?: number;
};
export type UpdateFile = { name: string; bytes: Uint8Array };

export type UpdateResult = z.infer<typeof updateResult>;

const block = z.object({
  number: z
    .int()
    .describe(
      'The citation in the overview that it belongs to, e.g. 2 for [2]. Ranges of one entry share it',
    ),
  path: z.string(),
  start: z.int(),
  end: z.int(),
  revision: z.string(),
  text: z.string().describe('The quoted lines'),
  replaced: replacedEntries,
});

/** An answer of the search agent: an overview and the quoted source lines. */
export const answer = z.object({
  overview: z.string(),
  found: z
    .enum(['yes', 'partly', 'no'])
    .describe(
      'Whether the vault contains the answer. With no, the source lines are near misses. Without source lines, yes and partly are unproven claims',
    ),
  blocks: z.array(block),
  isCited: z.boolean().describe('False if there are no source lines, only the overview'),
  unsupported: z
    .array(z.string())
    .describe('Names, numbers, dates and citations of the overview that the source lines do not contain'),
  notes: z.array(z.string()).describe('One line for each quote that could not be shown'),
  document: z.string().describe('The complete answer as a markdown document'),
});

export type Answer = z.infer<typeof answer>;

/** Whether an answer claims something without a source line. A right "no" is an answer. */
export function isUnproven({ isCited, found }: Pick<Answer, 'isCited' | 'found'>): boolean {
  return !isCited && found !== 'no';
}
