import { z } from 'zod';
import { reason } from '../reasons.ts';

export const id = z.string().min(1).max(100);
export const at = z.int().describe('Milliseconds since 1970');
export const shownPath = z.string().describe('As vault/projects/startup-x/state.md');
export const limit = z.coerce.number().int().min(1).max(1_000).default(20);

export const key = z
  .string()
  .min(1)
  .max(200)
  .toLowerCase()
  .describe('The same key again is the same update; in upper case, too');

export const diff = z.object({
  path: shownPath,
  diff: z.string().describe('Unified; a long one ends with a line that says what is left out'),
});

export const held = z
  .object({ id, reason })
  .nullable()
  .describe('The change that waits for the person; null when none does');

/** What somebody may do in a vault. */
export const role = z.enum(['owner', 'writer', 'reader']);

export const tokenScope = z.enum(['read', 'write']);
