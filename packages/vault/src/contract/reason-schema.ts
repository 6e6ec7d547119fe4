import { z } from 'zod';
import { withText } from './reasons.ts';
import type { Reason, StoredReason } from './reasons.ts';

// Separate from `reasons.ts`, because every command loads that module, and zod takes long to load.

const values = z.record(z.string(), z.union([z.string(), z.number()]));

const storedReason: z.ZodType<StoredReason> = z.object({
  code: z.string(),
  values,
  hint: z.string().optional(),
});

export const reason = z.object({
  code: z.string().describe('Known reason, or other for a message without a code'),
  values: values.describe('Values of the sentence: a path, a count, an address'),
  hint: z.string().describe('What to do about it, in English; empty if there is no advice'),
  text: z.string().describe('Reason and hint as an English sentence'),
});

/** `stored` is the result of `toStoredReason`, or its JSON. */
export function fromStoredReason(stored: unknown): Reason {
  const parsed = storedReason.parse(typeof stored === 'string' ? JSON.parse(stored) : stored);
  return withText({ ...parsed, hint: parsed.hint ?? '' });
}
