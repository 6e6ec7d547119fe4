import { z } from 'zod';
import { reason } from './reasons.ts';

const update = z.string().describe('The id of the update');
const run = z.string().describe('The id of the update or the question that is worked on');
const tokens = z.object({ input: z.int(), cached: z.int(), written: z.int(), output: z.int() });

/** Everything that happens and that somebody may want to see, for live views and logs alike. */
export const keepsakeEvent = z.discriminatedUnion('type', [
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
    about: z.string().describe('What it is called for, in a few words'),
  }),
  z.object({
    type: z.literal('tool-finished'),
    run,
    tool: z.string(),
    problem: z.string().nullable().describe('Null when all went well'),
  }),
  z.object({ type: z.literal('file-changed'), paths: z.array(z.string()) }),
  z.object({ type: z.literal('inbox-changed'), items: z.int() }),
  z.object({
    type: z.literal('spend-changed'),
    tokens: z.int().describe('Of today'),
    cost: z.number().nullable().describe('Of today; null where no price is known'),
  }),
]);

export type KeepsakeEvent = z.infer<typeof keepsakeEvent>;

/** Told of events as they happen. Must not throw. */
export type Emit = (event: KeepsakeEvent) => void;
