import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTurn } from '../../../vault/src/contract/index.ts';
import { newInvitation, openPeople } from '../../../vault/src/server/index.ts';
import type { Invited, Role } from '../../../vault/src/server/index.ts';
import { HostingError } from './error.ts';
import type { HostedVault } from './hosted-vault.ts';
import { isAlive } from './choose-node.ts';
import type { Claimed } from './placement.ts';
import { seal, unseal } from './sealing.ts';
import { readVault } from './vault-registry.ts';

type Inviting = { vault: string; name: string; role: Role };

/** A link that lets somebody into a vault, once, within a week; whoever serves the vault knows of it when it is opened. */
export async function inviteIntoVault(
  { pool, rootKey }: { pool: Pool; rootKey: Buffer },
  { vault, name, role }: Inviting,
): Promise<string> {
  const { key } = await readVault(pool, rootKey, vault);
  const { rows } = await pool.query<{ public_url: string }>(
    `select public_url from nodes where public_url is not null order by ${isAlive} desc, seen_at desc limit 1`,
  );
  if (rows[0] === undefined)
    throw new HostingError('bad-settings', 'no node has a public address', {
      mend: 'start the nodes with: keepsake-service node --public https://…',
    });
  const { secret, hash, until } = newInvitation();
  const id = randomUUID();
  const invited: Omit<Kept, 'id'> = { name, role, until, hash: hash.toString('hex'), createdAt: Date.now() };
  await pool.query('insert into invitations (id, vault, sealed) values ($1, $2, $3)', [
    id,
    vault,
    seal(key, sealedAs(vault, id), Buffer.from(JSON.stringify(invited))),
  ]);
  return `${rows[0].public_url}/v/${vault}/open?code=${secret}`;
}

/** Gives a function that brings those into the vault who were invited meanwhile. */
export function invitationTaker(
  pool: Pool,
  { vault, key }: Claimed,
  { keepsake, settle }: HostedVault,
): () => Promise<void> {
  const takeTurn = inTurn();
  return () =>
    takeTurn(async () => {
      const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
        'select id, sealed from invitations where vault = $1',
        [vault],
      );
      if (rows.length === 0) return;
      const people = openPeople(keepsake)();
      for (const { id, sealed } of rows) {
        const { hash, ...kept } = JSON.parse(String(unseal(key, sealedAs(vault, id), sealed))) as Kept;
        people.takeInvited({ ...kept, id, hash: Buffer.from(hash, 'hex') });
      }
      await settle();
      await pool.query('delete from invitations where id = any($1)', [rows.map(({ id }) => id)]);
    });
}

type Kept = Omit<Invited, 'hash'> & { hash: string };

function sealedAs(vault: string, id: string): string {
  return `invitation ${id} of ${vault}`;
}
