import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName } from '../../../vault/src/contract/index.ts';
import { HostingError, vaultNotFound } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import { dataKeyAad } from './placement.ts';
import type { VaultRecord } from './placement.ts';
import type { RootKey } from './root-key.ts';
import { deriveKey, seal, unseal } from './sealing.ts';

const limitNames = Object.keys(vaultLimits) as [LimitName, ...LimitName[]];
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const accessSchema = z.object({
  version: z.number().int().positive(),
  /** The ids of this version and of the versions before it, newest last. */
  lineage: z.array(z.string()).min(1),
  /** When an operator last confirmed the document as a whole, in milliseconds since 1970. */
  confirmedAt: z.number().int(),
  /** The group of nodes that may serve the vault; empty for nodes without a group. */
  group: z.string(),
  limits: z.partialRecord(z.enum(limitNames), z.number()),
  tokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scope: z.enum(['read', 'write']),
      hash: hashSchema,
      createdAt: z.number(),
    }),
  ),
  invitations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      role: z.enum(['owner', 'writer', 'reader']),
      hash: hashSchema,
      createdAt: z.number(),
      until: z.number(),
      /** The version of the document that added it; the vault imports it once. */
      version: z.number(),
    }),
  ),
});

/**
 * Everything that the service grants for one vault. It is one sealed value in the database, so no part of it can be
 * changed, removed, copied to another vault or replaced by an earlier version without the key of the vault.
 */
export type VaultAccess = z.infer<typeof accessSchema>;

type Grants = Pick<VaultAccess, 'group' | 'limits' | 'tokens' | 'invitations'>;

/** Changes between two openings of a vault; after more, an operator has to confirm the document. */
const maxLineage = 500;

export function createAccess(grants: Partial<Grants> = {}, version = 1): VaultAccess {
  return {
    group: '',
    limits: {},
    tokens: [],
    invitations: [],
    ...grants,
    version,
    lineage: [randomId()],
    confirmedAt: Date.now(),
  };
}

export function sealAccess(key: Buffer, vault: string, access: VaultAccess): Buffer {
  return seal(deriveKey(key, 'access'), accessAad(vault), Buffer.from(JSON.stringify(access)));
}

/** Throws `damaged` unless the document was sealed for this vault. This is the only place that reads one. */
export function openAccess(key: Buffer, vault: string, sealed: Uint8Array | null): VaultAccess {
  if (sealed === null)
    throw new HostingError('damaged', `the access settings of vault ${vault} are not sealed`, {
      hint: 'review and seal them with: keepsake-service cluster access --confirm',
    });
  const bytes = unseal(deriveKey(key, 'access'), accessAad(vault), sealed);
  return accessSchema.parse(JSON.parse(String(bytes)));
}

/** Whether `access` is the applied version, a later one that was made from it, or was confirmed since. */
export function followsApplied(
  access: VaultAccess,
  applied: { version: number; id: string; confirmedAt: number },
): boolean {
  if (access.confirmedAt !== applied.confirmedAt) return access.confirmedAt > applied.confirmedAt;
  const later = access.version - applied.version;
  return later >= 0 && access.lineage.at(-1 - later) === applied.id;
}

export type AccessParts = { pool: Pool; rootKey: RootKey };

/** Changes what the service grants for a vault. The node that serves the vault applies it within seconds. */
export function changeAccess(
  { pool, rootKey }: AccessParts,
  vault: string,
  change: (access: VaultAccess, nextVersion: number) => Partial<Grants>,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ data_key: Buffer; access: Buffer | null }>(
      'select data_key, access from vaults where id = $1 for update',
      [vault],
    );
    const [row] = rows;
    if (row === undefined) throw vaultNotFound(vault);
    const key = rootKey.unseal(dataKeyAad(vault), row.data_key);
    const access = openAccess(key, vault, row.access);
    const version = access.version + 1;
    const next = { ...access, ...change(access, version), version };
    const changed: VaultAccess = {
      ...next,
      lineage: [...access.lineage, randomId()].slice(-maxLineage),
      invitations: next.invitations.filter(({ until }) => until > Date.now()),
    };
    await client.query('update vaults set access = $2 where id = $1', [
      vault,
      sealAccess(key, vault, changed),
    ]);
  });
}

/** Reads what the service grants for a vault whose key is known. */
export async function readAccess(
  pool: Pool,
  { vault, key }: Pick<VaultRecord, 'vault' | 'key'>,
): Promise<VaultAccess> {
  const { rows } = await pool.query<{ access: Buffer | null }>('select access from vaults where id = $1', [
    vault,
  ]);
  if (rows[0] === undefined) throw vaultNotFound(vault);
  return openAccess(key, vault, rows[0].access);
}

/** Reads the sealed documents of these vaults. */
export async function readSealedAccess(
  pool: Pool,
  vaults: readonly string[],
): Promise<Map<string, Buffer | null>> {
  const { rows } = await pool.query<{ id: string; access: Buffer | null }>(
    'select id, access from vaults where id = any($1)',
    [vaults],
  );
  return new Map(rows.map(({ id, access }) => [id, access]));
}

function accessAad(vault: string): string {
  return `access of ${vault}`;
}

function randomId(): string {
  return randomBytes(9).toString('base64url');
}
