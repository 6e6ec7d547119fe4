import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName, VaultLimits } from '../../../vault/src/contract/index.ts';
import { changeAccess, readAccess } from './vault-access.ts';
import type { AccessParts } from './vault-access.ts';
import { readVaultRecord } from './vault-registry.ts';

const defaultLimits = Object.fromEntries(
  Object.entries(vaultLimits).map(([name, limit]) => [name, limit.default]),
) as Record<LimitName, number>;

export function withDefaultLimits(limits: VaultLimits): Record<LimitName, number> {
  return { ...defaultLimits, ...limits };
}

/** Reads the limits of a vault, with defaults for limits that are not set. */
export async function readServiceLimits(
  { pool, rootKey }: AccessParts,
  vault: string,
): Promise<Record<LimitName, number>> {
  const { limits } = await readAccess(pool, await readVaultRecord(pool, rootKey, vault));
  return withDefaultLimits(limits);
}

/** Sets limits; null resets one to its default. The node that serves the vault applies them within seconds. */
export function setServiceLimits(
  parts: AccessParts,
  vault: string,
  limits: Partial<Record<LimitName, number | null>>,
): Promise<void> {
  return changeAccess(parts, vault, (access) => ({
    limits: Object.fromEntries(
      Object.entries({ ...access.limits, ...limits }).filter(([, limit]) => limit !== null),
    ),
  }));
}
