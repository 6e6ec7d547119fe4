import { assertWithinLimits } from '../contract/index.ts';
import type { GetLimits, VaultSize } from '../contract/index.ts';
import type { Catalogue } from '../vault/index.ts';

/** Returns a check that throws when the vault may not grow by this much. Vaults without limits are not measured. */
export function createQuotaCheck(
  limits: GetLimits,
  catalogue: Pick<Catalogue, 'size'>,
): (growth: VaultSize) => Promise<void> {
  return async (growth) => {
    const now = limits();
    if (now.bytes !== undefined || now.files !== undefined)
      assertWithinLimits(now, await catalogue.size(), growth);
  };
}
