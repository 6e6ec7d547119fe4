import { z } from 'zod';
import { reason } from './reason-schema.ts';
import { extractedLines, replacedEntries } from './tool-results.ts';

/**
 * What to do with an inbox item, without a model: keep one version of a conflict or both, keep the text as a note, or
 * drop it.
 */
export const inboxChoice = z.enum(['mine', 'theirs', 'both', 'note', 'drop']);

export type InboxChoice = z.infer<typeof inboxChoice>;

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
  again: z.boolean().optional().describe('File it even if the same content was filed before'),
  choice: inboxChoice
    .optional()
    .describe('With inboxRef: what to do with the item, without a model; only from the user'),
  asNote: z
    .boolean()
    .optional()
    .describe('Save it at once as a note in the bucket, as it is, without a model'),
  project: z.string().optional().describe('With asNote: the project whose bucket gets the note'),
});

const paths = z.array(z.string()).describe('Paths of the changed files');

const receiptFile = z.object({
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted', 'moved']),
  from: z.string().optional().describe('The former path of a moved file'),
  unit: z.enum(['task', 'entry']).describe('What added and removed list'),
  added: z.array(z.string()).describe('Titles of added tasks or changelog entries'),
  removed: z.array(z.string()).describe('Titles of removed tasks or changelog entries'),
  linesAdded: z.int(),
  linesRemoved: z.int(),
});

/** What an update did, computed by code from the changes themselves. */
const receipt = z.object({
  files: z.array(receiptFile),
  keptAsReceived: z.array(z.string()).describe('Files that contain input as it was received'),
  notFiled: z
    .array(z.string())
    .describe('Sentences that the agent did not file; they are kept word for word'),
  leftOut: z.array(z.string()).describe('Sentences that the agent named as not worth keeping'),
  unsupported: z
    .array(z.object({ path: z.string(), values: z.array(z.string()) }))
    .describe('Names, numbers and dates that are neither in the input nor in the vault'),
  failedCalls: z.array(z.string()).describe('Tool calls that failed and were not repeated'),
});

const optionalReceipt = receipt.nullable().default(null).describe('Null for updates of earlier versions');

/** The result of an update. */
export const updateResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('filed'),
    summary: z.string(),
    paths,
    asked: z.string().nullable().describe('The inbox item with a question of the agent'),
    receipt: optionalReceipt,
  }),
  z.object({ kind: z.literal('held'), summary: z.string(), paths, reason, receipt: optionalReceipt }),
  z.object({
    kind: z.literal('unchanged'),
    summary: z.string(),
    known: z
      .array(z.string())
      .default([])
      .describe('Existing lines with the same information, e.g. vault/tasks.md:12-14'),
    earlier: z
      .object({ id: z.string(), at: z.number() })
      .optional()
      .describe(
        'The earlier update with the same content, and when it was accepted; known are then its files',
      ),
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
  /** Whether the user has confirmed that secrets are stored in plain text. */
  keepSecrets?: boolean;
  /** The label of the masks in the text and the files, if there are any. */
  secretLabel?: string | undefined;
  /** The session with an AI client that the text is the record of; the last one if there are several. */
  session?: UpdateSession | undefined;
  /** Whether a client submitted it, which must not see or write what is hidden from AI. */
  isFromClient?: boolean | undefined;
};

/** A recorded session. `at` is the local time of its last event, for example `2026-11-16T09:00:00`. */
export const updateSession = z.strictObject({
  client: z.string(),
  project: z.string().nullable(),
  branch: z.string().nullable(),
  title: z.string(),
  at: z.string(),
});
export type UpdateSession = z.infer<typeof updateSession>;

export type UpdateFile = { name: string; bytes: Uint8Array };

export type UpdateResult = z.infer<typeof updateResult>;
export type Receipt = z.infer<typeof receipt>;
export type ReceiptFile = z.infer<typeof receiptFile>;

const block = z.object({
  number: z
    .int()
    .describe(
      'The position of its block in the document, which the overview cites, e.g. 2 for [2]. Ranges of one block share it',
    ),
  path: z.string(),
  start: z.int(),
  end: z.int(),
  revision: z.string(),
  text: z.string().describe('The quoted lines'),
  extracted: extractedLines,
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

/** A passage that the agent found while it was looking for an answer. `best` is the best line, `start` the first. */
export const foundPassage = z.object({
  path: z.string(),
  start: z.int(),
  best: z.int(),
  text: z.string(),
});
export type FoundPassage = z.infer<typeof foundPassage>;

/** Whether an answer claims something without a source line. A right "no" is an answer. */
export function isUnproven({ isCited, found }: Pick<Answer, 'isCited' | 'found'>): boolean {
  return !isCited && found !== 'no';
}
