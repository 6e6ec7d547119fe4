import { randomUUID } from 'node:crypto';
import { createInvitation } from '../../../vault/src/server/index.ts';
import type { Role } from '../../../vault/src/server/index.ts';
import { readPublicUrl } from './choose-node.ts';
import { HostingError } from './error.ts';
import { changeAccess } from './vault-access.ts';
import type { AccessParts } from './vault-access.ts';

type InvitationRequest = { vault: string; name: string; role: Role };

/**
 * Creates a one-time invitation link for a vault, valid for a week. The node that serves the vault imports the
 * invitation when the link is opened.
 */
export async function createVaultInvitation(
  parts: AccessParts,
  { vault, name, role }: InvitationRequest,
): Promise<string> {
  const { secret, hash, until } = createInvitation();
  const publicUrl = await readPublicUrl(parts);
  if (publicUrl === null)
    throw new HostingError('bad-settings', 'no node has a public address', {
      hint: 'start the nodes with: keepsake-service node --public https://…',
    });
  const invitation = {
    id: randomUUID(),
    name,
    role,
    until,
    hash: hash.toString('hex'),
    createdAt: Date.now(),
  };
  await changeAccess(parts, vault, ({ invitations }, version) => ({
    invitations: [...invitations, { ...invitation, version }],
  }));
  return `${publicUrl}/v/${vault}/open?code=${secret}`;
}
