import { z } from 'zod';
import { reason } from '../reason-schema.ts';
import { stepSchema } from '../agent-steps.ts';
import { updatePayload, updateResult } from '../updates.ts';
import { at, diff, id, key, limit } from './fields.ts';

const source = updatePayload.shape.source;

export const updateRequest = z.strictObject({
  text: updatePayload.shape.text.default(''),
  files: updatePayload.shape.files.max(100).default([]),
  source: source.optional().describe('Default: the signed-in person, if there are no files; otherwise other'),
  inboxRef: updatePayload.shape.inboxRef,
  again: updatePayload.shape.again,
  choice: updatePayload.shape.choice,
  asNote: updatePayload.shape.asNote,
  project: updatePayload.shape.project,
  keepSecrets: z
    .boolean()
    .optional()
    .describe('Store secrets in plain text without asking; only from the user. Models get masks in any case'),
  key: key.optional(),
});

const file = z
  .custom<File>((value) => value instanceof File)
  .meta({ type: 'string', format: 'binary', description: 'Text, an image or a document' });

/** The same request as a multipart form, for binary files. */
export const updateForm = z.strictObject({
  text: z.string().default(''),
  files: z.union([file, z.array(file).max(100)]).optional(),
  sourceKind: source.shape.kind.optional(),
  sourceName: source.shape.name.optional(),
  inboxRef: z.string().optional(),
  again: z.stringbool().optional(),
  choice: updatePayload.shape.choice,
  asNote: z.stringbool().optional(),
  project: z.string().optional(),
  keepSecrets: z.stringbool().optional(),
  key: key.optional(),
});

export const documentForm = z.strictObject({ file });

export const idempotencyKeyHeader = z.object({ 'idempotency-key': key.optional() });
export const updateAccepted = z.object({
  status: z.literal('accepted'),
  id,
  warnings: z
    .array(z.string())
    .describe('Parts of the documents that could not be read, and texts in which a secret was masked'),
});

/** The detected type and content of a document. */
export const documentInfo = z.object({
  type: z.string().describe('pdf, docx, html, email, mailbox, csv, text, markdown, image or audio'),
  title: z.string().nullable(),
  pages: z.int().nullable(),
  attachments: z.int().describe('Number of attachments that can be filed'),
  warnings: z.array(z.string()).describe('Parts that could not be read'),
});

const updateState = z.enum(['waiting', 'running', 'done', 'parked', 'cancelled']);

const spent = z.object({
  steps: z.int().describe('Number of model calls'),
  input: z.int().describe('Input tokens, cached ones included'),
  cached: z.int().describe("Input tokens read from the provider's cache"),
  written: z.int().describe("Input tokens written to the provider's cache"),
  output: z.int().describe('Output tokens'),
  cost: z.number().nullable().describe('Null if a price is unknown'),
});

export const update = z.object({
  id,
  state: updateState,
  acceptedAt: at,
  attempts: z.int(),
  reason: reason.nullable().describe('Why the last attempt failed'),
  nextAttemptAt: at.nullable().describe('Time of the next attempt; null unless it waits for a retry'),
  result: updateResult.nullable(),
  decision: z.enum(['approved', 'rejected']).nullable(),
  spent: spent.nullable().describe('Model usage over all attempts'),
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
    .describe('Maximum number of seconds to wait for the update to finish'),
});
export const updateWithDiff = update.extend({
  diffs: z.array(diff),
  steps: z.array(stepSchema).describe('Steps of the agent so far; not kept across restarts'),
});

export const updateStateChange = z.object({ id, state: updateState });
