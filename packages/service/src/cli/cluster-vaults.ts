import { Command, InvalidArgumentError } from 'commander';
import { exitCode, print } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { importVault, registerVault, removeVault } from '../hosting/index.ts';
import { withService } from './node.ts';

export function addVaultCommand(cli: Cli): Command {
  return new Command('add-vault')
    .summary('register a vault; it is made when it is first used')
    .argument('[id]', 'letters, digits, - and _ (default: a new one)', checkId)
    .option('--group <group>', 'nodes of this group alone serve it')
    .option('--json', 'print the result for programs')
    .action(async (id: string | undefined, options: { json?: boolean; group?: string }) => {
      await withService(cli.environment, async ({ pool, rootKey }) => {
        const vault = await registerVault(pool, rootKey, id, { group: options.group });
        print(
          cli,
          `${vault}\nat /v/${vault}/ of every node; let somebody in with: keepsake-service cluster add-token ${vault} <name>`,
          { vault },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function importCommand(cli: Cli): Command {
  return new Command('import')
    .summary('make a vault of this machine one of the service, with its history; nobody is let in yet')
    .argument('<folder>', 'the vault')
    .argument('[id]', 'letters, digits, - and _ (default: a new one)', checkId)
    .option('--state <folder>', 'its state (default: where Keepsake keeps it)')
    .option('--group <group>', 'nodes of this group alone serve it')
    .option('--json', 'print the result for programs')
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
          print(
            cli,
            `${made}\nis as ${vault} was a moment ago; let somebody in with: keepsake-service cluster add-token ${made} <name>`,
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
    .summary('delete a vault for good, by forgetting its key')
    .argument('<vault>')
    .option('--yes', 'it cannot be brought back')
    .action(async (vault: string, { yes }: { yes?: boolean }) => {
      if (yes !== true) {
        print(
          cli,
          `nothing was deleted. Keep a copy with: keepsake-service cluster export ${vault} <folder>; then: keepsake-service cluster remove-vault ${vault} --yes`,
          {},
          {},
        );
        return cli.finish(exitCode.refused);
      }
      await withService(cli.environment, async (service) => {
        await removeVault(service, vault);
        print(cli, `${vault} is deleted; nodes remove their copies within ten minutes`, { vault }, {});
      });
      cli.finish(exitCode.ok);
    });
}

function checkId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new InvalidArgumentError('Use letters, digits, - and _.');
  return id;
}
