import { z } from 'zod';
import { reason } from './reasons.ts';
import { replacedEntries } from './tool-results.ts';

/** Information to file, as JSON carries it. */
export const sentUpdate = z.strictObject({
  text: z.string(),
  files: z
    .array(z.strictObject({ name: z.string(), data: z.base64() }))
    .describe('Images and markdown that belong to it'),
  source: z.strictObject({
    kind: z.enum(['person', 'other']).describe('Whether these are words of the person'),
    name: z.string().describe('Where it comes from: a command, a client, an email'),
  }),
  inboxRef: z.string().optional().describe('The inbox item that this answers'),
});

const paths = z.array(z.string()).describe('What was touched');

/** What came of an update. */
export const updateResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('filed'),
    summary: z.string(),
    paths,
    asked: z.string().nullable().describe('The inbox item in which the agent asks back'),
  }),
  z.object({ kind: z.literal('held'), summary: z.string(), paths, reason }),
  z.object({
    kind: z.literal('unchanged'),
    summary: z.string(),
    known: z
      .array(z.string())
      .default([])
      .describe('The lines that said it already, as vault/tasks.md:12-14'),
  }),
]);

export type SentUpdate = z.infer<typeof sentUpdate>;

/**
 * The same inside, where bytes are bytes. The words of the person carry further than those of a document or an email.
 */
export type UpdateInput = Omit<SentUpdate, 'files'> & {
  files: UpdateFile[];
  /** When it was handed over, in milliseconds; it may have waited since. */
  receivedAt?: number;
};
export type UpdateFile = { name: string; bytes: Uint8Array };

export type UpdateResult = z.infer<typeof updateResult>;

const block = z.object({
  path: z.string(),
  start: z.int(),
  end: z.int(),
  revision: z.string(),
  text: z.string().describe('The lines themselves'),
  replaced: replacedEntries,
});

/** What the search agent answers: its orientation, and source lines word for word. */
export const answer = z.object({
  overview: z.string(),
  blocks: z.array(block),
  isCited: z.boolean().describe('False when there are no source lines: then the overview is all there is'),
  notes: z
    .array(z.string())
    .describe('What was to be shown below the overview and could not be, a line for each'),
  document: z.string().describe('All of it as one markdown document'),
});

export type Answer = z.infer<typeof answer>;
