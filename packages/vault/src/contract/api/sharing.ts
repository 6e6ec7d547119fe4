import { z } from 'zod';
import { at, id, shownPath } from './fields.ts';

const shareLink = z.object({
  id,
  path: shownPath,
  createdAt: at,
  until: at.describe('When the link ends, in milliseconds since 1970'),
  by: z.string().nullable().describe('The member who created it; null for the owner of the machine'),
});

export const shareLinks = z.object({
  links: z.array(shareLink),
  isLocal: z.boolean().describe('Whether only this machine can open the links'),
});
export const shareLinkRequest = z.strictObject({
  path: z.string().max(4_000).describe('The note, with or without vault/'),
  days: z.int().min(1).max(365).default(30),
  confirm: z
    .boolean()
    .default(false)
    .describe('Create it although only this machine can open it (see isLocal)'),
});
export const createdShareLink = shareLink.extend({
  url: z.string().describe('Returned only once; anyone who has it can read the note'),
});
