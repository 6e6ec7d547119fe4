import { z } from 'zod';

const price = z.number().nonnegative().describe('Price per million tokens');
const modelName = z.string().min(1).max(200).describe('Provider and model, e.g. anthropic/<name>');
export const modelSettings = z.object({
  name: z.string().nullable().describe('Model of the agents; null if none is configured'),
  isFromEnvironment: z.boolean().describe('Whether KEEPSAKE_MODEL overrides this setting'),
  url: z.string().nullable().describe('Base URL, if not the default of the provider'),
  prices: z.object({ input: price, output: price }).nullable(),
  providers: z.array(
    z.object({
      name: z.string(),
      url: z.string().nullable().describe('Default base URL; null if the provider requires one'),
      key: z
        .enum(['unneeded', 'missing', 'variable', 'file', 'account'])
        .describe('Where the API key is stored, or account if a sign-in replaces it; never the key itself'),
    }),
  ),
});
export const modelSettingsUpdate = z.strictObject({
  name: modelName.nullable().describe('Null to use no model'),
  url: z.url().max(1_000).optional(),
  key: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/, 'an API key contains only ASCII characters and no spaces')
    .optional()
    .describe('Stored in a separate file. If omitted, the stored key is kept'),
  prices: z.strictObject({ input: price, output: price }).optional(),
});
export const modelTestResult = z.object({
  name: z.string(),
  reply: z.string(),
  milliseconds: z.number(),
  callsTools: z.boolean().describe('Whether it can call tools, which agents require'),
  blindBecause: z.string().nullable().describe('Why it cannot read images; null if it can'),
  tokens: z.int(),
  cost: z.number().nullable().describe('Null if the price is unknown'),
});

export const exclusions = z.object({
  patterns: z.array(
    z.object({
      pattern: z.string(),
      files: z.int().nullable().describe('Number of matching files; null if the pattern is invalid'),
      problem: z.string().optional(),
    }),
  ),
});
export const exclusionsUpdate = z.strictObject({ patterns: z.array(z.string().max(1_000)).max(100) });
