import { Command } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { drainNode, moveVault, readServiceStatus } from '../hosting/index.ts';
import { withService } from './node.ts';

export function statusCommand(cli: Cli): Command {
  return new Command('status')
    .summary('show nodes and vault counts')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await withService(cli.environment, async ({ pool }) => {
        const state = await readServiceStatus(pool);
        const lines = state.nodes.map(
          ({ id, address, group, isAlive, isDraining, vaults }) =>
            `${id}  ${address}  ${group === '' ? '' : `group ${group}  `}${isAlive ? (isDraining ? 'draining' : 'ready') : 'down'}  ${vaults} vaults`,
        );
        const sum = `${state.vaults} vaults, ${state.records} records not yet in a snapshot`;
        printResult(cli, [...lines, sum].join('\n'), state, options);
      });
      cli.finish(exitCode.ok);
    });
}

export function drainCommand(cli: Cli): Command {
  return new Command('drain')
    .summary('drain a node: move its vaults away and accept no new ones until restart')
    .argument('<node>', 'name of the node')
    .action(async (name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await drainNode(pool, name);
        printResult(
          cli,
          `draining ${name}; see progress with: keepsake-service cluster status`,
          { node: name },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function moveCommand(cli: Cli): Command {
  return new Command('move')
    .summary('move a vault to a node')
    .argument('<vault>')
    .argument('<node>', 'name of the node')
    .action(async (vault: string, name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await moveVault(pool, vault, name);
        printResult(cli, `${vault} moves to ${name} within seconds`, { vault, node: name }, {});
      });
      cli.finish(exitCode.ok);
    });
}
