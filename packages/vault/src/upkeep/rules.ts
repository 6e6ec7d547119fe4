import { frontmatterRule, isLaidOut, readIdentity, VaultError } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Report } from './report.ts';

/** What upkeep may do to the files of this folder; the index is kept in any case. */
export type Rules = {
  /** False for a folder that was never initialised: nothing is written into it. */
  isVault: boolean;
  /** Which notes may be stamped when they are edited outside: those that say when they were `updated`, for example. */
  stamps: 'all' | 'dated' | 'none';
  /** Where there is no `tree.md`: only a vault that `init` laid out gets one. */
  mayCreateTree: boolean;
};

const stampedOutside = { always: 'all', own: 'dated', 'own-writes': 'none', never: 'none' } as const;

const onlyIndex: Rules = { isVault: false, stamps: 'none', mayCreateTree: false };

/** Read before every pass, so that a change of the setting needs no restart. Null when the vault is not there. */
export function createRuleReader(root: VaultRoot, report: Report): () => Rules | null {
  let wasVault = false;
  return () => {
    try {
      const identity = readIdentity(root);
      if (identity === null && wasVault)
        throw new VaultError('no-vault', `${root} is not there as it was`, {
          mend: 'was it moved or unmounted?',
        });
      if (identity === null) return onlyIndex;
      wasVault = true;
      return {
        isVault: true,
        stamps: stampedOutside[frontmatterRule(identity)],
        mayCreateTree: isLaidOut(identity),
      };
    } catch (error) {
      report({ kind: 'failed', doing: 'reading .keepsake/vault.json', error });
      return error instanceof VaultError && error.code === 'bad-identity' ? onlyIndex : null;
    }
  };
}
