import { z } from 'zod';
import { changeOutput } from '../tool-results.ts';
import { id, shownPath } from './fields.ts';

const etags = z.string().max(1_000).optional();
export const conditionalReadHeaders = z.object({
  'if-none-match': etags.describe('ETag of the cached version'),
});
export const conditionalWriteHeaders = z.object({
  'if-match': etags.describe('ETag of the version to replace or delete'),
  'if-none-match': etags.describe('* if the file must not exist yet'),
});
export const confirmQuery = z.object({
  confirm: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Apply the change even if it removes a large amount of text'),
});
export const fileWriteResponse = z.object({
  path: shownPath,
  revision: z.string().nullable().describe('Null if the file was deleted'),
  change: id.nullable().describe('Change id, for undo; null if the content was already the same'),
});
export const moveRequest = z.strictObject({
  from: z.string(),
  to: z.string(),
  confirm: z.boolean().default(false),
});
export const moveResponse = changeOutput
  .pick({ changes: true })
  .extend({ text: z.string(), links: z.int().describe('Number of updated links'), change: id.nullable() });
