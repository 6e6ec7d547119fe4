import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import type { Keepsake } from '../app/index.ts';
import { AppError, nearestVault, readEnvironment } from '../app/index.ts';
import { count } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

type SyncOptions = VaultOptions & { off?: boolean; watch?: boolean };
type Synced = Awaited<ReturnType<Keepsake['sync']['run']>>;

export function syncCommand(finish: Finish): Command {
  const command = vaultCommand('sync')
    .summary('bring the vault to your other machines with a git repository')
    .description(
      'Brings in what your other machines sent to a git repository, and sends what changed here. Any empty bare repository will do. It is remembered for this vault on this machine.',
    )
    .argument('[remote]', 'a folder, ssh or https address (default: the one that was given last)')
    .option('--watch', 'keepsake serve does it by itself from now on, while it runs')
    .option('--no-watch', 'it no longer does')
    .option('--off', 'forget the repository; no file is touched')
    .action(async (remote: string | undefined, options: SyncOptions) => {
      if (options.off === true) {
        if (remote !== undefined) throw new AppError('bad-input', '--off takes no repository');
        const forgotten = await withKeepsake(options, ({ sync }) => sync.stop());
        const text =
          forgotten === null ? 'this vault was synced with nothing' : `no longer synced with ${forgotten}`;
        print(text, { forgotten }, options);
      } else {
        const { watch } = options;
        const synced = await withKeepsake(joining(options, remote), async ({ sync }) => {
          // Also without a way to the remote.
          if (watch === false) await sync.setWatched(false);
          const done = await sync.run(remote);
          if (watch === true) await sync.setWatched(true);
          return done;
        });
        print([describe(synced), ...describeWatching(watch)].join('\n'), synced, options);
      }
      finish(exitCode.ok);
    });
  return examples(command, [
    'sync /mnt/nas/vault.git',
    'sync ssh://nas/srv/vault.git',
    'sync',
    'sync --watch',
    'sync --off',
  ]);
}

/** An empty folder that is in no vault is meant itself: it becomes the one that the repository carries. */
function joining(options: VaultOptions, remote: string | undefined): VaultOptions {
  const here = process.cwd();
  const isNamed = options.vault !== undefined || readEnvironment().vault !== undefined;
  const isMeant =
    remote !== undefined && !isNamed && nearestVault(here) === undefined && readdirSync(here).length === 0;
  return isMeant ? { ...options, vault: here } : options;
}

function describeWatching(isWatched: boolean | undefined): string[] {
  if (isWatched === undefined) return [];
  return isWatched
    ? ['keepsake serve syncs by itself from now on: seconds after a change, and every minute']
    : ['keepsake serve no longer syncs by itself'];
}

const mostShown = 20;

function describe({ remote, machine, received, merged, asked, sent, leftOut, changes }: Synced): string {
  const done = [
    `received ${count(received.length, 'file')}`,
    ...(merged.length > 0 ? [`merged ${count(merged.length, 'file')}`] : []),
    `sent ${count(sent, 'file')}`,
  ];
  const lines = leftOut.slice(0, mostShown).map(({ path, reason }) => `left out ${path}: ${reason}`);
  return [
    `synced with ${remote} as ${machine}: ${done.join(', ')}`,
    ...asked.map((path) => `two versions of ${path} stand: see keepsake inbox`),
    ...lines,
    ...(leftOut.length > mostShown ? [`left out ${leftOut.length - mostShown} more`] : []),
    ...changes.map((id) => `take what came in back with: keepsake undo ${id.slice(0, 8)}`),
  ].join('\n');
}
