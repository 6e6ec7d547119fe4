import { z } from 'zod';
import { at, id, tokenScope } from './fields.ts';

const clientInfo = z.object({
  name: z.string().describe('The name that the client gave itself'),
  site: z.string().nullable().describe('The site that the client was verified to belong to; null if none'),
});
export const consentRequest = z.object({
  client: clientInfo,
  returnsTo: z
    .string()
    .describe('Where the browser is redirected: a site, localhost, or the URI scheme of an application'),
  scope: tokenScope,
});
export const consentDecision = z.strictObject({ scope: tokenScope.nullable().describe('Null to deny') });
export const grants = z.object({
  grants: z.array(clientInfo.extend({ id, scope: tokenScope, createdAt: at })),
  url: z
    .string()
    .nullable()
    .describe('Public URL of the MCP endpoint; null if the vault is not reachable from other machines'),
});
