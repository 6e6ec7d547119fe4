import { z } from 'zod';
import { reason } from '../reason-schema.ts';

export const id = z.string().min(1).max(100);
export const at = z.int().describe('Milliseconds since 1970');
export const shownPath = z.string().describe('Path in the vault, e.g. vault/projects/startup-x/state.md');
export const limit = z.coerce.number().int().min(1).max(1_000).default(20);

export const key = z.string().min(1).max(200).toLowerCase().describe('Idempotency key, case-insensitive');

export const diff = z.object({
  path: shownPath,
  diff: z.string().describe('Unified diff; a truncated one ends with a line that says what was omitted'),
});

export const held = z
  .object({ id, reason })
  .nullable()
  .describe('The change that is held for approval; null if none is');

/** The role of a member in a vault. */
export const role = z.enum(['owner', 'writer', 'reader']);

export const tokenScope = z.enum(['read', 'write']);

/** `calendar` reads the calendar feed and nothing else. */
export const storedScope = z.enum(['read', 'write', 'calendar']);
