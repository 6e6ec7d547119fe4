import { z } from 'zod';
import { operations, SystemError } from './memory-system.ts';
import type { MemorySystem } from './memory-system.ts';

/** The version of the line protocol, sent with `hello`. */
const protocolVersion = 1;

const usage = z.object({
  input: z.int().min(0),
  output: z.int().min(0),
  cost: z.number().min(0).optional(),
});

const responses = {
  hello: z.object({
    name: z.string().min(1),
    version: z.string(),
    model: z.string().nullable().default(null),
    offers: z.array(z.enum(operations)),
    keepsFiles: z.boolean().default(false),
  }),
  reset: z.object({}),
  file: z.object({
    outcome: z.enum(['filed', 'known', 'held', 'asked', 'failed']),
    receipt: z.string().default(''),
    usage: usage.optional(),
  }),
  ask: z.object({
    text: z.string(),
    found: z.enum(['yes', 'partly', 'no']),
    evidence: z
      .array(z.object({ path: z.string().optional(), start: z.int().min(1).optional(), text: z.string() }))
      .default([]),
    usage: usage.optional(),
  }),
  search: z.object({
    results: z.array(
      z.object({ path: z.string().optional(), start: z.int().min(1).optional(), text: z.string() }),
    ),
  }),
  forget: z.object({}),
  dump: z.object({ files: z.array(z.object({ path: z.string(), text: z.string() })) }),
};
type LineOperation = keyof typeof responses;
type Response<Name extends LineOperation> = z.infer<(typeof responses)[Name]>;

/** Parses the response to one request. Throws if it is an error or has another shape. */
function parseResponse<Name extends LineOperation>(operation: Name, value: unknown): Response<Name> {
  const failure = z.object({ error: z.string() }).safeParse(value);
  if (failure.success) throw new SystemError(`${operation}: ${failure.data.error}`);
  const parsed = responses[operation].safeParse(value);
  if (!parsed.success)
    throw new SystemError(`${operation}: the response is invalid: ${z.prettifyError(parsed.error)}`);
  // The schema of `operation` has parsed it.
  return parsed.data as Response<Name>;
}

/** Sends one request, and resolves with the line that answers it. */
export type SendRequest = (request: { op: string } & Record<string, unknown>) => Promise<unknown>;

/** A memory behind a program that reads and writes lines of JSON. */
export async function createLineSystem(send: SendRequest, close: () => Promise<void>): Promise<MemorySystem> {
  const request = async <Name extends LineOperation>(
    op: Name,
    parameters: Record<string, unknown> = {},
  ): Promise<Response<Name>> => parseResponse(op, await send({ op, ...parameters }));
  const { offers, ...hello } = await request('hello', { protocol: protocolVersion }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return {
    ...hello,
    offers: new Set(offers),
    async reset({ files, ...notes }) {
      await request('reset', { ...notes, files: [...files].map(([path, text]) => ({ path, text })) });
    },
    file: (input) => request('file', input),
    ask: (question, at) => request('ask', { question, at }),
    search: async (queries) => (await request('search', { queries })).results,
    async forget(words) {
      await request('forget', { words });
    },
    dump: async () => new Map((await request('dump')).files.map(({ path, text }) => [path, text])),
    close,
  };
}
