import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { createInvitation, openMembers } from '../../../vault/src/server/index.ts';
import type { Invitation, Role } from '../../../vault/src/server/index.ts';
import { HostingError } from './error.ts';
import type { HostedVault } from './hosted-vault.ts';
import { nodeIsAliveSql } from './choose-node.ts';
import type { ClaimedVault } from './placement.ts';
import { seal, unseal } from './sealing.ts';
import { readVaultRecord } from './vault-registry.ts';

type InvitationRequest = { vault: string; name: string; role: Role };

/**
 * Creates a one-time invitation link for a vault, valid for a week. The node that serves the vault imports the
 * invitation when the link is opened.
 */
export async function createVaultInvitation(
  { pool, rootKey }: { pool: Pool; rootKey: Buffer },
  { vault, name, role }: InvitationRequest,
): Promise<string> {
  const { key } = await readVaultRecord(pool, rootKey, vault);
  const { rows } = await pool.query<{ public_url: string }>(
    `select public_url from nodes where public_url is not null order by ${nodeIsAliveSql} desc, seen_at desc limit 1`,
  );
  if (rows[0] === undefined)
    throw new HostingError('bad-settings', 'no node has a public address', {
      hint: 'start the nodes with: keepsake-service node --public https://…',
    });
  const { secret, hash, until } = createInvitation();
  const id = randomUUID();
  const invited: Omit<StoredInvitation, 'id'> = {
    name,
    role,
    until,
    hash: hash.toString('hex'),
    createdAt: Date.now(),
  };
  await pool.query('insert into invitations (id, vault, sealed) values ($1, $2, $3)', [
    id,
    vault,
    seal(key, sealedAs(vault, id), Buffer.from(JSON.stringify(invited))),
  ]);
  return `${rows[0].public_url}/v/${vault}/open?code=${secret}`;
}

/** Returns a function that imports pending invitations into the vault. */
export function createInvitationImporter(
  pool: Pool,
  { vault, key }: ClaimedVault,
  { keepsake, flushReplication }: HostedVault,
): () => Promise<void> {
  const runExclusive = createLimiter();
  return () =>
    runExclusive(async () => {
      const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
        'select id, sealed from invitations where vault = $1',
        [vault],
      );
      if (rows.length === 0) return;
      const people = openMembers(keepsake)();
      for (const { id, sealed } of rows) {
        const { hash, ...invitation } = JSON.parse(
          String(unseal(key, sealedAs(vault, id), sealed)),
        ) as StoredInvitation;
        people.addInvitation({ ...invitation, id, hash: Buffer.from(hash, 'hex') });
      }
      await flushReplication();
      await pool.query('delete from invitations where id = any($1)', [rows.map(({ id }) => id)]);
    });
}

type StoredInvitation = Omit<Invitation, 'hash'> & { hash: string };

function sealedAs(vault: string, id: string): string {
  return `invitation ${id} of ${vault}`;
}
