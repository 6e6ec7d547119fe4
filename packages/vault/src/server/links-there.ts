import type { z } from 'zod';
import type { Owner } from '../app/index.ts';
import type { api } from '../contract/index.ts';
import { jsonBody, requestOwner } from './request-owner.ts';

/** A link that opens the browser, once, from the process that serves the vault. */
export async function requestLink(owner: Owner): Promise<string> {
  return (await requestOwner<z.infer<typeof api.link>>(owner, '/links', { body: jsonBody({}) })).url;
}

/** A link that lets another person use the vault, once, from the process that serves it. */
export async function requestInvitation(
  owner: Owner,
  invitation: z.input<typeof api.invitation>,
): Promise<string> {
  const body = jsonBody(invitation);
  return (await requestOwner<z.infer<typeof api.invited>>(owner, '/people', { body })).url;
}
