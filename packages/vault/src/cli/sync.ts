import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import type { Keepsake } from '../app/index.ts';
import { AppError, configuredVault, nearestVault } from '../app/index.ts';
import { AdvisedError } from '../contract/index.ts';
import { count } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

type SyncOptions = VaultOptions & {
  off?: boolean;
  watch?: boolean;
  confirmDeletions?: boolean;
  restoreDeleted?: boolean;
};
type Synced = Awaited<ReturnType<Keepsake['sync']['run']>>;

export function syncCommand(cli: Cli): Command {
  const command = vaultCommand('sync')
    .summary('bring the vault to your other machines with a git repository')
    .description(
      'Brings in what your other machines sent to a git repository, and sends what changed here. Any empty bare repository will do. It is remembered for this vault on this machine.',
    )
    .argument('[remote]', 'a folder, ssh or https address (default: the one that was given last)')
    .option('--watch', 'keepsake serve does it by itself from now on, while it runs')
    .option('--no-watch', 'it no longer does')
    .option('--confirm-deletions', 'delete on every machine what is gone on one, however many files that are')
    .option('--restore-deleted', 'bring back what was deleted on any machine since the last sync')
    .option('--off', 'forget the repository; no file is touched')
    .action(async (remote: string | undefined, options: SyncOptions) => {
      if (options.off === true) {
        if (remote !== undefined) throw new AppError('bad-input', '--off takes no repository');
        const forgotten = await withKeepsake(cli, options, ({ sync }) => sync.stop());
        const text =
          forgotten === null ? 'this vault was synced with nothing' : `no longer synced with ${forgotten}`;
        print(cli, text, { forgotten }, options);
      } else {
        const { watch } = options;
        const deletions = ruleOf(options);
        const synced = await withKeepsake(cli, joining(cli, options, remote), async ({ sync }) => {
          // Also without a way to the remote.
          if (watch === false) await sync.setWatched(false);
          const done = await sync.run(remote, { deletions });
          if (watch === true) await sync.setWatched(true);
          return done;
        }).catch(explainMassDeletion);
        if (typeof synced === 'string') {
          cli.stderr.write(synced);
          return cli.finish(exitCode.unconfirmed);
        }
        print(cli, [describe(synced), ...describeWatching(watch)].join('\n'), synced, options);
      }
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'sync /mnt/nas/vault.git',
    'sync ssh://nas/srv/vault.git',
    'sync',
    'sync --watch',
    'sync --off',
  ]);
}

function ruleOf({ confirmDeletions, restoreDeleted }: SyncOptions): 'ask' | 'confirm' | 'restore' {
  if (confirmDeletions === true && restoreDeleted === true)
    throw new AppError('bad-input', '--confirm-deletions and --restore-deleted exclude each other');
  if (confirmDeletions === true) return 'confirm';
  return restoreDeleted === true ? 'restore' : 'ask';
}

/** What to print for a sync that stopped before a mass deletion; every other error is thrown again. */
function explainMassDeletion(error: unknown): string {
  if (!(error instanceof AdvisedError) || error.code !== 'mass-deletion') throw error;
  return `error: ${error.message}

If a disk is not mounted, mount it and sync again. Otherwise decide:
  keepsake sync --restore-deleted    bring the files back on every machine
  keepsake sync --confirm-deletions  delete them on every machine
`;
}

/** An empty folder that is in no vault is meant itself: it becomes the one that the repository carries. */
function joining({ cwd, environment }: Cli, options: VaultOptions, remote: string | undefined): VaultOptions {
  const here = cwd();
  if (options.vault !== undefined || environment.vault !== undefined || nearestVault(here) !== undefined)
    return options;
  if (remote !== undefined && readdirSync(here).length === 0) return { ...options, vault: here };
  if (configuredVault(environment) !== undefined) return options;
  throw new AppError('no-vault', 'no vault here', {
    mend: `go into one, or bring one to this machine: in an empty folder, run keepsake sync ${remote ?? '<remote>'}`,
  });
}

function describeWatching(isWatched: boolean | undefined): string[] {
  if (isWatched === undefined) return [];
  return isWatched
    ? ['keepsake serve syncs by itself from now on: seconds after a change, and every minute']
    : ['keepsake serve no longer syncs by itself'];
}

const mostShown = 20;

function describe(synced: Synced): string {
  const { remote, machine, received, deleted, merged, asked, restored, sent, sentDeletions } = synced;
  const { leftOut, changes } = synced;
  const done = [
    ...(restored.length > 0 ? [`restored ${count(restored.length, 'file')}`] : []),
    `received ${count(received.length, 'file')}`,
    ...(merged.length > 0 ? [`merged ${count(merged.length, 'file')}`] : []),
    ...(deleted.length > 0 ? [`deleted ${count(deleted.length, 'file')} here`] : []),
    `sent ${count(sent, 'file')}`,
    ...(sentDeletions > 0 ? [`deleted ${count(sentDeletions, 'file')} on the other machines`] : []),
  ];
  const lines = leftOut.slice(0, mostShown).map(({ path, reason }) => `left out ${path}: ${reason}`);
  return [
    `synced with ${remote} as ${machine}: ${done.join(', ')}`,
    ...asked.map((path) => `two machines changed the same lines of ${path}: see keepsake inbox`),
    ...lines,
    ...(leftOut.length > mostShown ? [`left out ${leftOut.length - mostShown} more`] : []),
    ...changes.map((id) => `undo this with: keepsake undo ${id.slice(0, 8)}`),
  ].join('\n');
}
