import { withPastVault } from '../app/index.ts';
import type { Keepsake, PastVault } from '../app/index.ts';
import { withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { withInterrupt } from './show-live.ts';
import { prepareSearch } from './prepare-search.ts';

type AsOf = {
  /** The vault of today. */
  keepsake: Keepsake;
  /** The vault as it was; its index is up to date. */
  past: PastVault;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
};

/** Runs `work` on the vault as it was at the end of a day. Leaves nothing behind, also after Ctrl-C and if the terminal is closed. */
export function withVaultAsOf<Value>(
  cli: Cli,
  { asOf, isForModel, ...options }: VaultOptions & { asOf: string; isForModel: boolean },
  work: (parts: AsOf) => Promise<Value>,
): Promise<Value> {
  const { environment } = cli;
  return withHistory(cli, options, (keepsake) =>
    withInterrupt(
      cli,
      (signal) =>
        withPastVault({ keepsake, environment, day: asOf, isForModel, signal }, async (past) => {
          await prepareSearch(cli, past.keepsake, signal);
          return work({ keepsake, past, signal });
        }),
      ['SIGINT', 'SIGTERM', 'SIGHUP'],
    ),
  );
}
