import type { Pool } from 'pg';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName, VaultLimits } from '../../../vault/src/contract/index.ts';
import { vaultNotFound } from './error.ts';

const defaultLimits = Object.fromEntries(
  Object.entries(vaultLimits).map(([name, limit]) => [name, limit.default]),
) as Record<LimitName, number>;

/** Reads the limits of these vaults, with defaults for limits that are not set. */
export async function readServiceLimits(
  pool: Pool,
  vaults: readonly string[],
): Promise<Map<string, Record<LimitName, number>>> {
  const { rows } = await pool.query<{ id: string; limits: VaultLimits }>(
    'select id, limits from vaults where id = any($1)',
    [vaults],
  );
  return new Map(rows.map(({ id, limits }) => [id, { ...defaultLimits, ...limits }]));
}

/** Sets limits; null resets one to its default. The node that serves the vault applies them within seconds. */
export async function setServiceLimits(
  pool: Pool,
  vault: string,
  limits: Partial<Record<LimitName, number | null>>,
): Promise<void> {
  const { rowCount } = await pool.query(
    'update vaults set limits = jsonb_strip_nulls(limits || $2::jsonb) where id = $1',
    [vault, JSON.stringify(limits)],
  );
  if (rowCount === 0) throw vaultNotFound(vault);
}
