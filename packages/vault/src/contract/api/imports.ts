import { z } from 'zod';
import { vaultParams } from './params.ts';
import { id } from './fields.ts';

const count = z.int().min(0);
const items = z
  .object({
    count,
    items: z.array(z.object({ path: z.string(), reason: z.string() })).describe('The first 50'),
  })
  .describe('Items with a reason');

const importId = z.string().regex(/^[\w-]{16,64}$/);

export const importQuery = z.object({
  id: importId.describe('Chosen by the client, to ask for the progress'),
  name: z.string().trim().min(1).max(200).describe('Name of the archive, for example `notes.zip`'),
  dryRun: z.enum(['true', 'false']).default('false').describe('Only reports what would be imported'),
});

export const importReport = z.object({
  kind: z.enum(['obsidian', 'folder', 'chatgpt', 'claude', 'notion', 'apple-notes']),
  into: z.string().describe('The target folder'),
  change: id.nullable().describe('The change, for undo; null if nothing was written'),
  added: z.object({
    notes: count,
    conversations: count,
    documents: count,
    pictures: count,
    attachments: count,
  }),
  replaced: count.describe('Items that changed in the source since they were imported'),
  unchanged: count.describe('Items that were imported before'),
  bytes: count,
  kept: items.describe('Changed in the vault and in the source'),
  leftOut: items,
  secrets: items.describe('Seem to contain a secret; imported unchanged'),
});

export const importParams = vaultParams.extend({ id: importId });
export const importProgress = z.object({
  phase: z.enum(['reading', 'converting', 'writing', 'recording']),
  done: count,
  total: count,
});
