import type { Command } from 'commander';
import { backUp, restoreBackup } from '../app/index.ts';
import { examples, vaultCommand, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

export function backupCommands(cli: Cli): Command[] {
  const backup = vaultCommand('backup')
    .summary('copy vault, history and queue')
    .description(
      'Copies the vault, its history, its queue and its tokens into a new folder, as they are at one moment; also while it is served. Only you can open that folder.',
    )
    .argument('<folder>', 'a folder that does not exist yet')
    .action(async (folder: string, options: VaultOptions) => {
      const { torn } = await withHistory(cli, options, (keepsake) =>
        backUp(keepsake, cli.environment.resolve(folder)),
      );
      print(
        cli,
        [
          `Copied vault and state to ${folder}. Bring them back with: keepsake restore-backup ${folder}`,
          ...describeTorn(torn, 'End what writes into them, and make another backup:'),
        ].join('\n'),
        { folder, torn },
        options,
      );
      cli.finish(torn.length === 0 ? exitCode.ok : exitCode.errors);
    });
  const restore = vaultCommand('restore-backup')
    .summary('bring a backup back')
    .description(
      'Puts a backup where its vault was, or elsewhere, with its history, its queue and its tokens. Never over something that is there.',
    )
    .argument('<folder>', 'a folder that keepsake backup has made')
    .option('--to <vault>', 'where the vault is put (default: where it was)')
    .action(async (folder: string, { to, vault, ...options }: VaultOptions & { to?: string }) => {
      const { environment } = cli;
      const target = to ?? vault;
      const restored = await restoreBackup(environment.resolve(folder), {
        to: target === undefined ? undefined : environment.resolve(target),
        state: options.state,
        environment,
      });
      const { notes, changes, waiting } = restored;
      print(
        cli,
        [
          `Restored ${restored.vault}. Its state lies in ${restored.state}.`,
          `Notes: ${notes}. Changes in history: ${changes}. Updates that wait to be filed: ${waiting}.`,
          ...describeTorn(restored.torn, 'Look at them, or take them from another backup:'),
        ].join('\n'),
        restored,
        options,
      );
      cli.finish(exitCode.ok);
    });
  return [
    examples(backup, ['backup /media/disk/vault-2025-07-14']),
    examples(restore, [
      'restore-backup /media/disk/vault-2025-07-14',
      'restore-backup /media/disk/vault-2025-07-14 --to ~/vault',
    ]),
  ];
}

function describeTorn(paths: readonly string[], advice: string): string[] {
  if (paths.length === 0) return [];
  return [`These files changed while they were copied and may not be whole. ${advice}`, ...paths];
}
