import { readIdentity, VaultError } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Report } from './report.ts';

/** What upkeep may do to the files of this folder; the index is kept in any case. */
export type Rules = {
  /** False for a folder that was never initialised: nothing is written into it. */
  isVault: boolean;
  stamps: boolean;
  /** Where there is no `tree.md`: only a vault that `init` laid out gets one. */
  mayCreateTree: boolean;
};

const onlyIndex: Rules = { isVault: false, stamps: false, mayCreateTree: false };

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
      // `init` says nothing about upkeep in a vault that it laid out, and something in a folder that it adopted.
      const { upkeep } = identity;
      return {
        isVault: true,
        stamps: (upkeep?.frontmatter ?? 'always') === 'always',
        mayCreateTree: upkeep === undefined,
      };
    } catch (error) {
      report({ kind: 'failed', doing: 'reading .keepsake/vault.json', error });
      return error instanceof VaultError && error.code === 'bad-identity' ? onlyIndex : null;
    }
  };
}
