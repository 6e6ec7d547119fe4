import { z } from 'zod';

const price = z.number().nonnegative().describe('Of a million tokens');
const modelName = z.string().min(1).max(200).describe('As anthropic/<name>');
export const modelSettings = z.object({
  name: z.string().nullable().describe('The one that agents use, or would; null when none is chosen'),
  isFromEnvironment: z.boolean().describe('Whether KEEPSAKE_MODEL decides, whatever is chosen here'),
  url: z.string().nullable().describe('Where it answers, if elsewhere than usual'),
  prices: z.object({ input: price, output: price }).nullable(),
  providers: z.array(
    z.object({
      name: z.string(),
      url: z.string().nullable().describe('Where its models usually answer; null where it has to be given'),
      key: z.enum(['unneeded', 'missing', 'variable', 'file']).describe('Where its key is; never the key'),
    }),
  ),
});
export const modelChoice = z.strictObject({
  name: modelName.nullable().describe('Null for none'),
  url: z.url().max(1_000).optional(),
  key: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/, 'a key has no spaces and no letters beyond ASCII')
    .optional()
    .describe('Kept in a file of its own; left out, the one that is there stays'),
  prices: z.strictObject({ input: price, output: price }).optional(),
});
export const modelTrial = z.object({
  name: z.string(),
  reply: z.string(),
  milliseconds: z.number(),
  callsTools: z.boolean().describe('Agents need a model that does'),
  blindBecause: z.string().nullable().describe('Null when it sees images'),
  tokens: z.int(),
  cost: z.number().nullable().describe('Null where no price is known'),
});

export const exclusions = z.object({
  patterns: z.array(
    z.object({
      pattern: z.string(),
      files: z.int().nullable().describe('How many files it covers; null when something is wrong with it'),
      problem: z.string().optional(),
    }),
  ),
});
export const exclusionsWanted = z.strictObject({ patterns: z.array(z.string().max(1_000)).max(100) });
