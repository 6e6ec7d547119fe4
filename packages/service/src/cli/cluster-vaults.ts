import { Command, InvalidArgumentError } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { importVault, registerVault, removeVault } from '../hosting/index.ts';
import { withService } from './node.ts';

export function addVaultCommand(cli: Cli): Command {
  return new Command('add-vault')
    .summary('register a vault (created on first use)')
    .argument('[id]', 'id of letters, digits, - and _ (default: generated)', parseVaultId)
    .option('--group <group>', 'serve it only on nodes of this group')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, options: { json?: boolean; group?: string }) => {
      await withService(cli.environment, async ({ pool, rootKey }) => {
        const vault = await registerVault(pool, rootKey, id, { group: options.group });
        printResult(
          cli,
          `${vault}\nserved at /v/${vault}/ by every node; grant access with: keepsake-service cluster add-token ${vault} <name>`,
          { vault },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function importCommand(cli: Cli): Command {
  return new Command('import')
    .summary('import a local vault with its history into the service, without any access')
    .argument('<folder>', 'vault folder')
    .argument('[id]', 'id of letters, digits, - and _ (default: generated)', parseVaultId)
    .option('--state <folder>', 'state folder of the vault (default: in your XDG state folder)')
    .option('--group <group>', 'serve it only on nodes of this group')
    .option('--json', 'print JSON')
    .action(
      async (
        vault: string,
        id: string | undefined,
        options: { json?: boolean; state?: string; group?: string },
      ) => {
        const { environment } = cli;
        await withService(environment, async (service) => {
          const from = { vault, state: options.state };
          const made = await importVault({ ...service, environment }, from, { id, group: options.group });
          printResult(
            cli,
            `${made}\nimported from ${vault}; grant access with: keepsake-service cluster add-token ${made} <name>`,
            { vault: made },
            options,
          );
        });
        cli.finish(exitCode.ok);
      },
    );
}

export function removeVaultCommand(cli: Cli): Command {
  return new Command('remove-vault')
    .summary('delete a vault permanently by destroying its key')
    .argument('<vault>')
    .option('--yes', 'confirm; this cannot be undone')
    .action(async (vault: string, { yes }: { yes?: boolean }) => {
      if (yes !== true) {
        printResult(
          cli,
          `nothing deleted; export a copy first with: keepsake-service cluster export ${vault} <folder>, then confirm with: keepsake-service cluster remove-vault ${vault} --yes`,
          {},
          {},
        );
        return cli.finish(exitCode.refused);
      }
      await withService(cli.environment, async (service) => {
        await removeVault(service, vault);
        printResult(cli, `deleted ${vault}; nodes remove their copies within ten minutes`, { vault }, {});
      });
      cli.finish(exitCode.ok);
    });
}

function parseVaultId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id))
    throw new InvalidArgumentError('Expected up to 64 letters, digits, - and _.');
  return id;
}
