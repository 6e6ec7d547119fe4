import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { LimitName } from '../../../vault/src/contract/index.ts';
import { HostingError, vaultNotFound } from './error.ts';
import { dataKeyAad } from './placement.ts';
import { unseal } from './sealing.ts';
import { isSignedNode, signedNodeColumns, signNode } from './signed-node.ts';
import type { NodeRow, SignedNode } from './signed-node.ts';
import { createAccess, openAccess, sealAccess } from './vault-access.ts';
import type { AccessParts, VaultAccess } from './vault-access.ts';

export type ReviewedVault = {
  vault: string;
  /** `unsealed`: from rows of an earlier version, which anyone with access to the database may have changed. */
  state: 'sealed' | 'unsealed' | 'damaged';
  access: VaultAccess;
};

/** What an operator reviews before confirming it. */
export type AccessReview = {
  vaults: ReviewedVault[];
  /** Nodes whose addresses are not signed. */
  nodes: SignedNode[];
  /** Names exactly what was reviewed. */
  digest: string;
};

/** Reads the access settings of a vault; without `vault`, everything that is not sealed or signed yet. */
export async function reviewAccess(parts: AccessParts, vault?: string): Promise<AccessReview> {
  return (await readReview(parts, vault)).review;
}

/**
 * Seals and signs what was reviewed; refuses when it has changed since. Confirming a damaged document replaces it by one
 * that grants nothing. Confirming ends the pending invitations of a sealed document.
 */
export async function confirmAccess(
  parts: AccessParts,
  vault: string | undefined,
  digest: string,
): Promise<AccessReview> {
  const { review, rows } = await readReview(parts, vault);
  if (review.digest !== digest)
    throw new HostingError('bad-settings', 'these settings were not reviewed', reviewHint);
  for (const { vault: id, state, access } of review.vaults) {
    const row = rows.get(id);
    if (row === undefined) continue;
    const pending = state === 'sealed' ? [] : access.invitations;
    const confirmed = createAccess({ ...access, invitations: pending }, access.version + 1);
    // No lock is held since the review, because nodes wait for these rows.
    const { rowCount } = await parts.pool.query(
      'update vaults set access = $2 where id = $1 and access is not distinct from $3',
      [id, sealAccess(row.key, id, confirmed), row.access],
    );
    if (rowCount === 0)
      throw new HostingError('bad-settings', `the access to ${id} was changed meanwhile`, reviewHint);
  }
  for (const node of review.nodes)
    await parts.pool.query('update nodes set signature = $2 where id = $1', [
      node.id,
      // Only for the reviewed address: a signature of another one is not valid.
      signNode(parts.rootKey, node),
    ]);
  return review;
}

const reviewHint = { hint: 'review them again with: keepsake-service cluster access' };

type ReadRow = Omit<KeyRow, 'data_key'> & { key: Buffer };

async function readReview(
  parts: AccessParts,
  vault: string | undefined,
): Promise<{ review: AccessReview; rows: Map<string, ReadRow> }> {
  const vaults: ReviewedVault[] = [];
  const readRows = new Map<string, ReadRow>();
  const { pool, rootKey } = parts;
  const { rows } = await pool.query<{ id: string }>(
    vault === undefined
      ? 'select id from vaults where access is null order by id'
      : 'select id from vaults where id = $1',
    vault === undefined ? [] : [vault],
  );
  if (vault !== undefined && rows.length === 0) throw vaultNotFound(vault);
  for (const { id } of rows) {
    const row = await readKey(parts, id);
    readRows.set(id, row);
    vaults.push(await reviewVault(pool, id, row));
  }
  const { rows: nodes } = await pool.query<NodeRow>(`select ${signedNodeColumns} from nodes order by id`);
  const unsigned = nodes
    .filter((node) => vault === undefined && !isSignedNode(rootKey, node))
    .map(({ id, address, publicUrl, group }) => ({ id, address, publicUrl, group }));
  // The times and ids of a new document differ in each review of the same rows.
  const reviewed = vaults.map(({ vault: id, state, access: { group, limits, tokens, invitations } }) => [
    id,
    state,
    { group, limits, tokens, invitations },
  ]);
  const digest = createHash('sha256')
    .update(JSON.stringify([reviewed, unsigned]))
    .digest('hex')
    .slice(0, 16);
  return { review: { vaults, nodes: unsigned, digest }, rows: readRows };
}

async function reviewVault(
  pool: Pool,
  vault: string,
  { key, access, group, limits }: ReadRow,
): Promise<ReviewedVault> {
  if (access === null) {
    const grants = { group, limits, ...(await readUnsealedGrants(pool, key, vault)) };
    return { vault, state: 'unsealed', access: createAccess(grants, 0) };
  }
  try {
    return { vault, state: 'sealed', access: openAccess(key, vault, access) };
  } catch {
    return { vault, state: 'damaged', access: createAccess({ group }, 0) };
  }
}

type KeyRow = {
  data_key: Buffer;
  access: Buffer | null;
  group: string;
  limits: Partial<Record<LimitName, number>>;
};

async function readKey({ pool, rootKey }: AccessParts, vault: string): Promise<ReadRow> {
  const { rows } = await pool.query<KeyRow>(
    'select data_key, access, tenant_group as "group", limits from vaults where id = $1',
    [vault],
  );
  const [row] = rows;
  if (row === undefined) throw vaultNotFound(vault);
  return { ...row, key: rootKey.unseal(dataKeyAad(vault), row.data_key) };
}

/** Reads tokens and invitations as earlier versions stored them. */
async function readUnsealedGrants(
  pool: Pool,
  key: Buffer,
  vault: string,
): Promise<Pick<VaultAccess, 'tokens' | 'invitations'>> {
  type TokenRow = { id: string; name: string; scope: 'read' | 'write'; hash: Buffer; created_at: Date };
  const tokens = await pool.query<TokenRow>(
    'select id, name, scope, hash, created_at from tokens where vault = $1 order by id',
    [vault],
  );
  const invitations = await pool.query<{ id: string; sealed: Buffer }>(
    'select id, sealed from invitations where vault = $1 order by id',
    [vault],
  );
  return {
    tokens: tokens.rows.map(({ created_at, hash, ...token }) => ({
      ...token,
      hash: hash.toString('hex'),
      createdAt: created_at.getTime(),
    })),
    invitations: invitations.rows.map(({ id, sealed }) => ({
      ...(JSON.parse(String(unseal(key, `invitation ${id} of ${vault}`, sealed))) as Omit<
        VaultAccess['invitations'][number],
        'id' | 'version'
      >),
      id,
      version: 1,
    })),
  };
}
