import type { Pool } from 'pg';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName, VaultLimits } from '../../../vault/src/contract/index.ts';
import { noSuchVault } from './error.ts';

const usual = Object.fromEntries(
  Object.entries(vaultLimits).map(([name, { usual: most }]) => [name, most]),
) as Record<LimitName, number>;

/** What these vaults may use: the usual, where nobody has set something else. */
export async function readServiceLimits(
  pool: Pool,
  vaults: readonly string[],
): Promise<Map<string, Record<LimitName, number>>> {
  const { rows } = await pool.query<{ id: string; limits: VaultLimits }>(
    'select id, limits from vaults where id = any($1)',
    [vaults],
  );
  return new Map(rows.map(({ id, limits }) => [id, { ...usual, ...limits }]));
}

/** Null for the usual again. The node that serves the vault knows it within seconds. */
export async function setServiceLimits(
  pool: Pool,
  vault: string,
  limits: Partial<Record<LimitName, number | null>>,
): Promise<void> {
  const { rowCount } = await pool.query(
    'update vaults set limits = jsonb_strip_nulls(limits || $2::jsonb) where id = $1',
    [vault, JSON.stringify(limits)],
  );
  if (rowCount === 0) throw noSuchVault(vault);
}
