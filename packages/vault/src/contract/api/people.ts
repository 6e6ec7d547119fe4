import { z } from 'zod';
import { at, id, role } from './fields.ts';

const known = z.object({
  id,
  name: z.string(),
  role,
  createdAt: at,
  isInvited: z.boolean().describe('Whether a link waits to be opened'),
});
export const people = z.object({ people: z.array(known) });
export const invitation = z.strictObject({ name: z.string().trim().min(1).max(60), role });
export const invited = known.extend({ url: z.string().describe('Told once') });
export const roleChoice = z.strictObject({ role });
