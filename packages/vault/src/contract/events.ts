import { z } from 'zod';
import { reason } from './reason-schema.ts';

const update = z.string().describe('The id of the update');
const run = z.string().describe('The id of the update or the question');
const tokens = z.object({ input: z.int(), cached: z.int(), written: z.int(), output: z.int() });

/** Every event of a vault, for live views and logs. */
export const keepsakeEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('update-accepted'), update }),
  z.object({ type: z.literal('update-started'), update, attempt: z.int() }),
  z.object({ type: z.literal('update-committed'), update, summary: z.string(), paths: z.array(z.string()) }),
  z.object({ type: z.literal('update-unchanged'), update, summary: z.string() }),
  z.object({ type: z.literal('update-held'), update, reason }),
  z.object({ type: z.literal('update-failed'), update, reason }),
  z.object({ type: z.literal('answer-started'), run, question: z.string() }),
  z.object({ type: z.literal('answer-finished'), run, blocks: z.int() }),
  z.object({ type: z.literal('step-finished'), run, step: z.int(), tokens }),
  z.object({
    type: z.literal('tool-called'),
    run,
    tool: z.string(),
    about: z.string().describe('Short description of the call'),
  }),
  z.object({
    type: z.literal('tool-finished'),
    run,
    tool: z.string(),
    problem: z.string().nullable().describe('Null on success'),
  }),
  z.object({ type: z.literal('file-changed'), paths: z.array(z.string()) }),
  z.object({ type: z.literal('inbox-changed'), items: z.int() }),
  z.object({
    type: z.literal('spend-changed'),
    tokens: z.int().describe('Tokens used today'),
    cost: z.number().nullable().describe('Cost of today; null if a price is unknown'),
  }),
]);

export type KeepsakeEvent = z.infer<typeof keepsakeEventSchema>;

/** Receives every event synchronously. Must not throw. */
export type EmitEvent = (event: KeepsakeEvent) => void;
