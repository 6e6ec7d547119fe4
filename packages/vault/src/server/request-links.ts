import type { z } from 'zod';
import type { OwnerProcess } from '../app/index.ts';
import type { api } from '../contract/index.ts';
import { jsonBody, requestOwner } from './request-owner.ts';

/** Requests a one-time sign-in link from the process that serves the vault. */
export async function requestLoginLink(owner: OwnerProcess): Promise<string> {
  return (await requestOwner<z.infer<typeof api.link>>(owner, '/links', { body: jsonBody({}) })).url;
}

/** Invites a member through the process that serves the vault, and returns their one-time link. */
export async function requestInvitation(
  owner: OwnerProcess,
  invitation: z.input<typeof api.invitation>,
): Promise<string> {
  const body = jsonBody(invitation);
  return (await requestOwner<z.infer<typeof api.createdInvitation>>(owner, '/people', { body })).url;
}
