import { z } from 'zod';
import { at, id, tokenScope } from './fields.ts';

export const clients = z.object({
  clients: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isFound: z.boolean().describe('Whether it seems to be used on this machine'),
      file: z.string().nullable().describe('Its configuration; null where only its own command changes it'),
      text: z.string().nullable().describe('What stands there for this vault; null where it cannot be said'),
      command: z.string().nullable().describe('What its own command does it with'),
      link: z.string().nullable().describe('An address that installs it'),
    }),
  ),
});

const token = z.object({ id, name: z.string(), scope: tokenScope, createdAt: at });
export const tokens = z.object({ tokens: z.array(token) });
export const tokenRequest = z.strictObject({ name: z.string().trim().min(1).max(100), scope: tokenScope });
export const tokenMade = token.extend({ secret: z.string().describe('Told once') });
