import { z } from 'zod';
import { at, id } from './fields.ts';

export const signInWays = z.object({
  passkey: z.boolean().describe('Whether there is a passkey'),
  provider: z.string().nullable().describe('The host of the OpenID provider; null for none'),
  hasPasskeys: z.boolean().describe('Whether passkeys can be made'),
});
export const passkeys = z.object({ passkeys: z.array(z.object({ id, name: z.string(), createdAt: at })) });
export const passkeyMade = z.strictObject({
  name: z.string().trim().min(1).max(100),
  made: z.looseObject({}).describe('What navigator.credentials.create gave'),
});

export const link = z.object({ url: z.string() });
