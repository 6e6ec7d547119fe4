import { z } from 'zod';
import { at, id, tokenScope } from './fields.ts';

const knownClient = z.object({
  name: z.string().describe('What it calls itself'),
  site: z.string().nullable().describe('The site that vouches for it; null for none'),
});
export const consentRequest = z.object({
  client: knownClient,
  returnsTo: z.string().describe('Where the browser goes on: a site, localhost, or the scheme of a program'),
  scope: tokenScope,
});
export const consentDecision = z.strictObject({ scope: tokenScope.nullable().describe('Null for a no') });
export const grants = z.object({
  grants: z.array(knownClient.extend({ id, scope: tokenScope, createdAt: at })),
  url: z
    .string()
    .nullable()
    .describe('Under which programs elsewhere reach the vault; null when they cannot'),
});
