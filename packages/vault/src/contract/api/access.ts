import { z } from 'zod';
import { at, id, storedScope } from './fields.ts';

export const clients = z.object({
  clients: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isFound: z.boolean().describe('Whether it seems to be installed on this machine'),
      file: z
        .string()
        .nullable()
        .describe('Path of its configuration file; null if only its own command can change it'),
      text: z.string().nullable().describe('The configuration for this vault; null if unknown'),
      command: z.string().nullable().describe('The command of the client that adds the server'),
      link: z.string().nullable().describe('A URL that installs the server in the client'),
    }),
  ),
});

const token = z.object({ id, name: z.string(), scope: storedScope, createdAt: at });
export const tokens = z.object({ tokens: z.array(token) });
export const tokenRequest = z.strictObject({ name: z.string().trim().min(1).max(100), scope: storedScope });
export const createdToken = token.extend({ secret: z.string().describe('Returned only once') });
