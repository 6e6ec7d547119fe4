import { frontmatterRule, isScaffolded, readIdentity, VaultError } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { ReportEvent } from './upkeep-events.ts';

/** What upkeep may write in this folder; the index is maintained in any case. */
export type UpkeepRules = {
  /** False for a folder that was never initialized; nothing is written into it. */
  isVault: boolean;
  /** Which notes may be stamped after an external edit: all, only those that already have an `updated` field, or none. */
  stamps: 'all' | 'stamped-only' | 'none';
  /** Whether a missing `tree.md` may be created: only in a vault that `init` laid out. */
  mayCreateTree: boolean;
};

const externalStampRules = {
  always: 'all',
  own: 'stamped-only',
  'own-writes': 'none',
  never: 'none',
} as const;

const indexOnlyRules: UpkeepRules = { isVault: false, stamps: 'none', mayCreateTree: false };

/** Called before every pass, so that a changed setting needs no restart. Returns null if the vault is not available. */
export function createRuleReader(root: VaultRoot, report: ReportEvent): () => UpkeepRules | null {
  let wasVault = false;
  return () => {
    try {
      const identity = readIdentity(root);
      if (identity === null && wasVault)
        throw new VaultError('no-vault', `${root} is no longer available`, {
          hint: 'check whether it was moved or unmounted',
        });
      if (identity === null) return indexOnlyRules;
      wasVault = true;
      return {
        isVault: true,
        stamps: externalStampRules[frontmatterRule(identity)],
        mayCreateTree: isScaffolded(identity),
      };
    } catch (error) {
      report({ kind: 'failed', operation: 'reading .keepsake/vault.json', error });
      return error instanceof VaultError && error.code === 'bad-identity' ? indexOnlyRules : null;
    }
  };
}
