import { z } from 'zod';
import { at, id, role } from './fields.ts';

const memberInfo = z.object({
  id,
  name: z.string(),
  role,
  createdAt: at,
  isInvited: z.boolean().describe('Whether the invitation link has not been opened yet'),
});
export const people = z.object({ people: z.array(memberInfo) });
export const invitation = z.strictObject({ name: z.string().trim().min(1).max(60), role });
export const createdInvitation = memberInfo.extend({
  url: z.string().describe('Invitation link, returned only once'),
});
export const roleUpdate = z.strictObject({ role });
