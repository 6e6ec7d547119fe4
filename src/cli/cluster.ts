import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../app/index.ts';
import {
  createServiceToken,
  drainNode,
  exportVault,
  moveVault,
  registerVault,
  removeVault,
  showService,
} from '../hosting/index.ts';
import type { TokenScope } from '../server/index.ts';
import { examples } from './command.ts';
import type { Finish } from './command.ts';
import { exitCode } from './exit-code.ts';
import { withService } from './node.ts';
import { print } from './show-outcome.ts';

type Shown = { json?: boolean };

/** Looking after a service of many vaults. */
export function clusterCommand(finish: Finish): Command {
  const cluster = new Command('cluster').summary('look after a service of many vaults');
  cluster
    .command('status')
    .summary('show its nodes')
    .option('--json', 'print the result for programs')
    .action(async (options: Shown) => {
      await withService(readEnvironment(), async ({ pool }) => {
        const state = await showService(pool);
        const lines = state.nodes.map(
          ({ id, address, isAlive, isDraining, vaults }) =>
            `${id}  ${address}  ${isAlive ? (isDraining ? 'leaving' : 'serving') : 'gone'}  ${vaults} vaults`,
        );
        const sum = `${state.vaults} vaults, ${state.records} records that are in no snapshot yet`;
        print([...lines, sum].join('\n'), state, options);
      });
      finish(exitCode.ok);
    });
  cluster
    .command('drain')
    .summary('have a node hand its vaults over and take no more, until it is started again')
    .argument('<node>', 'its name')
    .action(async (name: string) => {
      await withService(readEnvironment(), async ({ pool }) => {
        await drainNode(pool, name);
        print(
          `${name} hands its vaults over; keepsake cluster status shows how many are left`,
          { node: name },
          {},
        );
      });
      finish(exitCode.ok);
    });
  cluster
    .command('move')
    .summary('have a node serve a vault')
    .argument('<vault>')
    .argument('<node>', 'its name')
    .action(async (vault: string, name: string) => {
      await withService(readEnvironment(), async ({ pool }) => {
        await moveVault(pool, vault, name);
        print(
          `${vault} is served by ${name} when it is next asked for, in a few seconds`,
          { vault, node: name },
          {},
        );
      });
      finish(exitCode.ok);
    });
  cluster
    .command('add-vault')
    .summary('register a vault; it is made when it is first used')
    .argument('[id]', 'letters, digits, - and _ (default: a new one)', checkId)
    .option('--json', 'print the result for programs')
    .action(async (id: string | undefined, options: Shown) => {
      await withService(readEnvironment(), async ({ pool, rootKey }) => {
        const vault = await registerVault(pool, rootKey, id);
        print(
          `${vault}\nat /v/${vault}/ of every node; let somebody in with: keepsake cluster add-token ${vault} <name>`,
          { vault },
          options,
        );
      });
      finish(exitCode.ok);
    });
  cluster
    .command('add-token')
    .summary('let a program use a vault; the secret is shown once')
    .argument('<vault>')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(['read', 'write']).default('read'))
    .option('--json', 'print the result for programs')
    .action(async (vault: string, name: string, options: Shown & { scope: TokenScope }) => {
      await withService(readEnvironment(), async ({ pool }) => {
        const secret = await createServiceToken(pool, { vault, name, scope: options.scope });
        print(`${secret}\nshown only now; give it as: Authorization: Bearer …`, { secret }, options);
      });
      finish(exitCode.ok);
    });
  cluster
    .command('export')
    .summary(
      'put a vault as it is now into a folder of this machine, with its history; whoever serves it goes on',
    )
    .argument('<vault>')
    .argument('<folder>', 'which is not there yet')
    .action(async (vault: string, folder: string) => {
      const environment = readEnvironment();
      await withService(environment, async (service) => {
        await exportVault({ ...service, environment }, vault, folder);
        print(
          `${vault} is in ${folder}; open it with: keepsake serve --vault ${join(folder, 'vault')} --state ${join(folder, 'state')}`,
          { vault, folder },
          {},
        );
      });
      finish(exitCode.ok);
    });
  cluster
    .command('remove-vault')
    .summary('delete a vault for good, by forgetting its key')
    .argument('<vault>')
    .option('--yes', 'it cannot be brought back')
    .action(async (vault: string, { yes }: { yes?: boolean }) => {
      if (yes !== true) {
        print(
          `nothing was deleted. Keep a copy with: keepsake cluster export ${vault} <folder>; then: keepsake cluster remove-vault ${vault} --yes`,
          {},
          {},
        );
        return finish(exitCode.refused);
      }
      await withService(readEnvironment(), async (service) => {
        await removeVault(service, vault);
        print(`${vault} is deleted; nodes remove their copies within ten minutes`, { vault }, {});
      });
      finish(exitCode.ok);
    });
  return examples(cluster, [
    'cluster status',
    'cluster add-vault',
    'cluster add-token notes phone --scope write',
  ]);
}

function checkId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new InvalidArgumentError('Use letters, digits, - and _.');
  return id;
}
