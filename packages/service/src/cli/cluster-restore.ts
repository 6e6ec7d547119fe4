import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { exportVault, restoreAsNewVault, restoreInPlace } from '../hosting/index.ts';
import type { RecoveryTarget } from '../hosting/index.ts';
import { withService } from './node.ts';

const recoveryTargetHelp = 'recovery target: a time such as 2026-11-17T05:00:00Z, or a record number';

export function exportCommand(cli: Cli): Command {
  return new Command('export')
    .summary(
      'export a vault with its history to a local folder, at the current or an earlier state, without interrupting service',
    )
    .argument('<vault>')
    .argument('<folder>', 'target folder; must not exist')
    .option('--to <moment>', recoveryTargetHelp, parseRecoveryTarget)
    .action(async (vault: string, folder: string, { to }: { to?: RecoveryTarget }) => {
      const { environment } = cli;
      await withService(environment, async (service) => {
        await exportVault({ ...service, environment }, vault, environment.resolve(folder), to);
        printResult(
          cli,
          `exported ${vault} to ${folder}; open it with: keepsake serve --vault ${join(folder, 'vault')} --state ${join(folder, 'state')}`,
          { vault, folder },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function restoreCommand(cli: Cli): Command {
  return new Command('restore')
    .summary('restore a vault to an earlier state as a new vault without tokens')
    .argument('<vault>')
    .requiredOption('--to <moment>', recoveryTargetHelp, parseRecoveryTarget)
    .option('--in-place', 'replace the vault itself; the current state stays restorable')
    .option('--json', 'print JSON')
    .action(async (vault: string, options: { json?: boolean; to: RecoveryTarget; inPlace?: boolean }) => {
      const { environment } = cli;
      await withService(environment, async (service) => {
        const parts = { ...service, environment };
        if (options.inPlace === true) {
          const record = await restoreInPlace(parts, vault, options.to);
          printResult(
            cli,
            `restored ${vault} (record ${record}); undo with: keepsake-service cluster restore ${vault} --to ${record - 1} --in-place`,
            { vault, record },
            options,
          );
        } else {
          const restored = await restoreAsNewVault(parts, vault, options.to);
          printResult(
            cli,
            `${restored}\ngrant access with: keepsake-service cluster add-token ${restored} <name>`,
            { vault: restored },
            options,
          );
        }
      });
      cli.finish(exitCode.ok);
    });
}

function parseRecoveryTarget(text: string): RecoveryTarget {
  if (/^\d+$/.test(text)) return Number(text);
  if (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
    return new Date(text);
  throw new InvalidArgumentError(
    'Expected a time with a time zone, for example 2026-11-17T05:00:00Z, or a record number.',
  );
}
