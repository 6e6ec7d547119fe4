import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Keepsake } from '../app/index.ts';
import {
  AppError,
  createJoinFolder,
  readConfiguredVault,
  findNearestVault,
  openVaultRoot,
  resolveVault,
} from '../app/index.ts';
import { KeepsakeError } from '../contract/index.ts';
import { identityFolder, pluralize } from '../vault/index.ts';
import { formatSecretPlace } from '../secrets/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';
import { confirm, isInteractive } from './prompt.ts';
import { quoteIfNeeded } from './quote-for-shell.ts';

type SyncOptions = VaultOptions & {
  off?: boolean;
  watch?: boolean;
  confirmDeletions?: boolean;
  restoreDeleted?: boolean;
  withSecrets?: boolean;
};
type Synced = Awaited<ReturnType<Keepsake['sync']['run']>>;
type ConfirmSecrets = NonNullable<NonNullable<Parameters<Keepsake['sync']['run']>[1]>['confirmSecrets']>;

export function syncCommand(cli: Cli): Command {
  const command = vaultCommand('sync')
    .summary('sync the vault between machines through a git repository')
    .description(
      'Receive the changes that your other machines sent to a git repository, and send those of this machine. Any empty bare repository works. The remote is stored for this vault on this machine. With a remote and --vault, a folder that is missing or empty gets the vault of the repository.',
    )
    .argument('[remote]', 'folder, ssh or https URL (default: the stored one)')
    .option('--watch', 'sync automatically while keepsake serve runs')
    .option('--no-watch', 'stop syncing automatically')
    .option('--confirm-deletions', 'apply all deletions on every machine, however many files')
    .option('--restore-deleted', 'restore files that were deleted on any machine since the last sync')
    .option('--with-secrets', 'send passwords and keys in notes without asking')
    .option('--off', 'disconnect from the repository; files are kept')
    .action(async (remote: string | undefined, options: SyncOptions) => {
      if (options.off === true) {
        if (remote !== undefined) throw new AppError('bad-input', '--off takes no remote');
        const forgotten = await withKeepsake(cli, options, ({ sync }) => sync.stop());
        const text = forgotten === null ? 'sync was not configured' : `stopped syncing with ${forgotten}`;
        printResult(cli, text, { forgotten }, options);
      } else {
        const { watch } = options;
        const { synced, next } = await runSync(cli, options, remote);
        if (typeof synced === 'string') {
          cli.stderr.write(synced);
          return cli.finish(exitCode.unconfirmed);
        }
        const text = [describe(synced), ...describeBackgroundSync(watch), ...next];
        printResult(cli, text.join('\n'), synced, options);
      }
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'sync /mnt/nas/vault.git',
    'sync ssh://nas/srv/vault.git --vault ~/vault',
    'sync',
    'sync --watch',
    'sync --off',
  ]);
}

/** Syncs, and says what the user can do after it. `synced` is a message if the sync stopped until the user decides. */
async function runSync(
  cli: Cli,
  options: SyncOptions,
  remote: string | undefined,
): Promise<{ synced: Synced | string; next: string[] }> {
  const { watch } = options;
  const deletions = resolveDeletionRule(options);
  const target = { ...resolveJoinTarget(cli, options, remote), isJoining: remote !== undefined };
  const prepared = remote === undefined ? null : prepareFolder(cli, target);
  try {
    const synced = await withKeepsake(cli, target, async ({ sync }) => {
      // Must work even when the remote is unreachable.
      if (watch === false) await sync.setWatched(false);
      const done = await sync.run(remote, { deletions, confirmSecrets: createSecretsQuestion(cli, options) });
      if (watch === true) await sync.setWatched(true);
      return done;
    });
    return { synced, next: prepared?.next ?? [] };
  } catch (error) {
    prepared?.undo();
    return { synced: explainStop(error), next: [] };
  }
}

function resolveDeletionRule({
  confirmDeletions,
  restoreDeleted,
}: SyncOptions): 'ask' | 'confirm' | 'restore' {
  if (confirmDeletions === true && restoreDeleted === true)
    throw new AppError('bad-input', '--confirm-deletions and --restore-deleted cannot be combined');
  if (confirmDeletions === true) return 'confirm';
  return restoreDeleted === true ? 'restore' : 'ask';
}

const maxListedSecrets = 20;

/** Asks on a terminal; elsewhere, secrets are sent only if an option says so. */
function createSecretsQuestion(cli: Cli, options: SyncOptions): ConfirmSecrets {
  return async (places) => {
    if (options.withSecrets === true) return true;
    if (!isInteractive(cli, options)) return false;
    const named = places.slice(0, maxListedSecrets).map((place) => `  ${formatSecretPlace(place)}\n`);
    if (places.length > named.length) named.push(`  and ${places.length - named.length} more\n`);
    cli.stdout.write(`The repository does not have these passwords or keys yet:\n${named.join('')}`);
    return confirm(cli, 'Send them? Everyone who can read the repository can read them. [y/N] ', options);
  };
}

/** The message for a sync that stopped until the user decides; rethrows every other error. */
function explainStop(error: unknown): string {
  if (error instanceof KeepsakeError && error.code === 'new-secrets')
    return `error: ${error.message}

Remove them from the notes, also from the history with keepsake forget '<secret>', and sync again. Or send them:
  keepsake sync --with-secrets
`;
  if (!(error instanceof KeepsakeError) || error.code !== 'mass-deletion') throw error;
  return `error: ${error.message}

If a disk is not mounted, mount it and sync again. Otherwise decide:
  keepsake sync --restore-deleted    restore the files on every machine
  keepsake sync --confirm-deletions  delete them on every machine
`;
}

/** An empty current folder outside any vault becomes the target: it receives the vault of the repository. */
function resolveJoinTarget(
  { cwd, environment }: Cli,
  options: VaultOptions,
  remote: string | undefined,
): VaultOptions {
  const here = cwd();
  if (options.vault !== undefined || environment.vault !== undefined || findNearestVault(here) !== undefined)
    return options;
  if (remote !== undefined && readdirSync(here).length === 0) return { ...options, vault: here };
  if (readConfiguredVault(environment) !== undefined) return options;
  throw new AppError('no-vault', 'no vault found', {
    hint: `change to a vault, or get one onto this machine: in an empty folder, run keepsake sync ${remote ?? '<remote>'}`,
  });
}

/** What was done to a folder before a sync, and what the user can do after it. `undo` removes what is still empty. */
type PreparedFolder = { undo: () => void; next: string[] };

/** Creates the folder that is to receive the vault of the repository. Refuses it where a vault was that is gone. */
function prepareFolder({ environment }: Cli, { vault }: VaultOptions): PreparedFolder {
  const named = vault ?? environment.vault;
  if (named === undefined) {
    if (!existsSync(resolveVault(undefined, environment))) openVaultRoot({ environment });
    return { undo: () => undefined, next: [] };
  }
  const folder = environment.resolve(named);
  const undo = createJoinFolder(
    folder,
    environment,
    `to get it from the repository again, run mkdir ${quoteIfNeeded(folder)}, and sync`,
  );
  const isJoining = !existsSync(join(folder, identityFolder));
  return {
    undo,
    next:
      isJoining && readConfiguredVault(environment) === undefined
        ? [`to use this vault from every folder: keepsake config vault ${quoteIfNeeded(folder)}`]
        : [],
  };
}

function describeBackgroundSync(isWatched: boolean | undefined): string[] {
  if (isWatched === undefined) return [];
  return isWatched
    ? ['keepsake serve now syncs automatically: seconds after a change, and every minute']
    : ['keepsake serve no longer syncs automatically'];
}

const renameReasons = {
  'folder-in-place': 'a folder has its name',
  'folder-renamed': 'its folder was renamed',
};

const maxListedItems = 20;

function describe(synced: Synced): string {
  const { remote, machine, received, deleted, merged, conflicts, restored, sent, sentDeletions } = synced;
  const { leftOut, changes, forgotten, renamed } = synced;
  const done = [
    ...(restored.length > 0 ? [`restored ${pluralize(restored.length, 'file')}`] : []),
    `received ${pluralize(received.length, 'file')}`,
    ...(merged.length > 0 ? [`merged ${pluralize(merged.length, 'file')}`] : []),
    ...(deleted.length > 0 ? [`deleted ${pluralize(deleted.length, 'file')} here`] : []),
    `sent ${pluralize(sent, 'file')}`,
    ...(sentDeletions > 0 ? [`deleted ${pluralize(sentDeletions, 'file')} on the other machines`] : []),
    ...(forgotten.received > 0 ? ['forgot words that were forgotten on other machines'] : []),
    ...(forgotten.sent > 0 ? ['removed forgotten words from the repository'] : []),
  ];
  const lines = leftOut.slice(0, maxListedItems).map(({ path, reason }) => `skipped ${path}: ${reason}`);
  return [
    `synced with ${remote} as ${machine}: ${done.join(', ')}`,
    ...conflicts.map((path) => `conflict in ${path}: both versions kept, see keepsake inbox`),
    ...renamed.map(({ from, to, why }) => `renamed ${from} to ${to}: ${renameReasons[why]}`),
    ...lines,
    ...(leftOut.length > maxListedItems ? [`skipped ${leftOut.length - maxListedItems} more`] : []),
    ...(forgotten.isRemotePurged
      ? []
      : ['the repository is on another host, which may keep the replaced history until it cleans up']),
    ...changes.map((id) => `undo with: keepsake undo ${id.slice(0, 8)}`),
  ].join('\n');
}
