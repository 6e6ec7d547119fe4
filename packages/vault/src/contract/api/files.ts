import { z } from 'zod';
import { changeValue } from '../tool-results.ts';
import { id, shownPath } from './fields.ts';

const etags = z.string().max(1_000).optional();
export const cachedHeaders = z.object({ 'if-none-match': etags.describe('The ETag of what is known') });
export const matchHeaders = z.object({
  'if-match': etags.describe('The ETag of what is replaced or deleted'),
  'if-none-match': etags.describe('* when it must be new'),
});
export const confirmQuery = z.object({
  confirm: z.enum(['true', 'false']).default('false').describe('Also when much is removed at once'),
});
export const fileWritten = z.object({
  path: shownPath,
  revision: z.string().nullable().describe('Null when it is gone'),
  change: id.nullable().describe('For undo; null when it was the same already'),
});
export const moveRequest = z.strictObject({
  from: z.string(),
  to: z.string(),
  confirm: z.boolean().default(false),
});
export const filesMoved = changeValue
  .pick({ changes: true })
  .extend({ text: z.string(), links: z.int().describe('How many were rewritten'), change: id.nullable() });
