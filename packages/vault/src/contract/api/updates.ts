import { z } from 'zod';
import { reason } from '../reasons.ts';
import { step } from '../steps.ts';
import { sentUpdate, updateResult } from '../updates.ts';
import { at, diff, id, key, limit } from './fields.ts';

const source = sentUpdate.shape.source;

export const updateRequest = z.strictObject({
  text: sentUpdate.shape.text.default(''),
  files: sentUpdate.shape.files.max(100).default([]),
  source: source.optional().describe('Left out: your words when there are no files and you are no token'),
  inboxRef: sentUpdate.shape.inboxRef,
  key: key.optional(),
});

const file = z
  .custom<File>((value) => value instanceof File)
  .meta({ type: 'string', format: 'binary', description: 'Text, an image or a document' });

/** The same as a form, for files as they are. */
export const updateForm = z.strictObject({
  text: z.string().default(''),
  files: z.union([file, z.array(file).max(100)]).optional(),
  sourceKind: source.shape.kind.optional(),
  sourceName: source.shape.name.optional(),
  inboxRef: z.string().optional(),
  key: key.optional(),
});

export const documentForm = z.strictObject({ file });

export const keyHeader = z.object({ 'idempotency-key': key.optional() });
export const accepted = z.object({
  status: z.literal('accepted'),
  id,
  warnings: z.array(z.string()).describe('What could not be read of the documents'),
});

/** What a document turned out to be. */
export const documentLook = z.object({
  type: z.string().describe('pdf, docx, html, email, mailbox, csv, text, markdown, image or audio'),
  title: z.string().nullable(),
  pages: z.int().nullable(),
  attachments: z.int().describe('How many documents lie in it that can be filed, too'),
  warnings: z.array(z.string()).describe('What could not be read of it'),
});

const updateState = z.enum(['waiting', 'running', 'done', 'parked', 'cancelled']);

const spent = z.object({
  steps: z.int().describe('How often the model was asked'),
  input: z.int().describe('Tokens it read, those of its cache included'),
  cached: z.int().describe("Of these, tokens from the provider's cache"),
  written: z.int().describe("Of these, tokens written to the provider's cache"),
  output: z.int().describe('Tokens it wrote'),
  cost: z.number().nullable().describe('Null where a price is not known'),
});

export const update = z.object({
  id,
  state: updateState,
  acceptedAt: at,
  attempts: z.int(),
  reason: reason.nullable().describe('Why the last attempt failed'),
  nextAttemptAt: at.nullable().describe('When it is tried again; null unless it waits after a failure'),
  result: updateResult.nullable(),
  decision: z.enum(['approved', 'rejected']).nullable(),
  spent: spent.nullable().describe('What models have used for it, in all attempts'),
  input: z.object({
    text: z.string(),
    files: z.array(z.object({ name: z.string(), bytes: z.int() })),
    source,
    inboxRef: z.string().nullable(),
  }),
});
export const updatesQuery = z.object({ state: updateState.optional(), limit });
export const updates = z.object({ updates: z.array(update) });
export const updateQuery = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(60)
    .optional()
    .describe('Seconds to wait until the update is over; answered as soon as it is'),
});
export const updateWithDiff = update.extend({
  diffs: z.array(diff),
  steps: z.array(step).describe('What the agent has done so far; forgotten when the server stops'),
});

export const moved = z.object({ id, state: updateState });
