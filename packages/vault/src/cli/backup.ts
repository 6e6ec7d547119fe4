import type { Command } from 'commander';
import { backUp, restoreBackup } from '../app/index.ts';
import { withExamples, vaultCommand, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';

export function backupCommands(cli: Cli): Command[] {
  const backup = vaultCommand('backup')
    .summary('back up the vault, its history and queue')
    .description(
      'Copy a consistent snapshot of the vault, its history, queue and tokens to a new folder, readable only by you. Works while the vault is being served.',
    )
    .argument('<folder>', 'destination folder; must not exist yet')
    .action(async (folder: string, options: VaultOptions) => {
      const { torn } = await withHistory(cli, options, (keepsake) =>
        backUp(keepsake, cli.environment.resolve(folder)),
      );
      printResult(
        cli,
        [
          `Backed up to ${folder}. Restore with: keepsake restore-backup ${folder}`,
          ...describeInconsistentFiles(torn, 'Stop the program that writes to them and back up again:'),
        ].join('\n'),
        { folder, torn },
        options,
      );
      cli.finish(torn.length === 0 ? exitCode.ok : exitCode.errors);
    });
  const restore = vaultCommand('restore-backup')
    .summary('restore a backup')
    .description(
      'Restore a backup, including history, queue and tokens, to its original location or to --to. Never overwrites existing files.',
    )
    .argument('<folder>', 'folder created by keepsake backup')
    .option('--to <vault>', 'target folder (default: the original location)')
    .action(async (folder: string, { to, vault, ...options }: VaultOptions & { to?: string }) => {
      const { environment } = cli;
      const target = to ?? vault;
      const restored = await restoreBackup(environment.resolve(folder), {
        to: target === undefined ? undefined : environment.resolve(target),
        state: options.state,
        environment,
      });
      const { notes, changes, waiting } = restored;
      printResult(
        cli,
        [
          `Restored ${restored.vault}; state folder: ${restored.state}`,
          `Notes: ${notes}. Changes in history: ${changes}. Waiting updates: ${waiting}.`,
          ...describeInconsistentFiles(restored.torn, 'Check them, or restore them from another backup:'),
        ].join('\n'),
        restored,
        options,
      );
      cli.finish(exitCode.ok);
    });
  return [
    withExamples(backup, ['backup /media/disk/vault-2025-07-14']),
    withExamples(restore, [
      'restore-backup /media/disk/vault-2025-07-14',
      'restore-backup /media/disk/vault-2025-07-14 --to ~/vault',
    ]),
  ];
}

function describeInconsistentFiles(paths: readonly string[], advice: string): string[] {
  if (paths.length === 0) return [];
  return [`These files changed while being copied and may be inconsistent. ${advice}`, ...paths];
}
