import { z } from 'zod';
import { id } from './fields.ts';

export const vaultParams = z.object({
  vault: z.string().describe('Short name of the vault; `default` is the vault that is served'),
});
export const idParams = vaultParams.extend({ id: id.describe('The id or a prefix of it') });
export const answerParams = vaultParams.extend({ id });
export const consentParams = z.object({ id });
export const grantParams = vaultParams.extend({ id });
export const itemParams = vaultParams.extend({ item: z.string() });
export const toolParams = vaultParams.extend({ tool: z.string() });
export const fileParams = vaultParams.extend({ path: z.string().describe('With or without vault/') });
