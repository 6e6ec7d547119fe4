import { z } from 'zod';
import { at, id } from './fields.ts';

export const signInMethods = z.object({
  passkey: z.boolean().describe('Whether a passkey is registered'),
  provider: z.string().nullable().describe('Host of the OpenID provider; null if none'),
  hasPasskeys: z.boolean().describe('Whether passkeys can be created'),
});
export const passkeys = z.object({ passkeys: z.array(z.object({ id, name: z.string(), createdAt: at })) });
export const passkeyRegistration = z.strictObject({
  name: z.string().trim().min(1).max(100),
  made: z.looseObject({}).describe('The result of navigator.credentials.create'),
});

export const link = z.object({ url: z.string() });
