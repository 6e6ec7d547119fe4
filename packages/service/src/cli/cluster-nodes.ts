import { Command } from 'commander';
import { exitCode, print } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { drainNode, moveVault, showService } from '../hosting/index.ts';
import { withService } from './node.ts';

export function statusCommand(cli: Cli): Command {
  return new Command('status')
    .summary('show its nodes')
    .option('--json', 'print the result for programs')
    .action(async (options: { json?: boolean }) => {
      await withService(cli.environment, async ({ pool }) => {
        const state = await showService(pool);
        const lines = state.nodes.map(
          ({ id, address, group, isAlive, isDraining, vaults }) =>
            `${id}  ${address}  ${group === '' ? '' : `group ${group}  `}${isAlive ? (isDraining ? 'leaving' : 'serving') : 'gone'}  ${vaults} vaults`,
        );
        const sum = `${state.vaults} vaults, ${state.records} records that are in no snapshot yet`;
        print(cli, [...lines, sum].join('\n'), state, options);
      });
      cli.finish(exitCode.ok);
    });
}

export function drainCommand(cli: Cli): Command {
  return new Command('drain')
    .summary('have a node hand its vaults over and take no more, until it is started again')
    .argument('<node>', 'its name')
    .action(async (name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await drainNode(pool, name);
        print(
          cli,
          `${name} hands its vaults over; keepsake-service cluster status shows how many are left`,
          { node: name },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function moveCommand(cli: Cli): Command {
  return new Command('move')
    .summary('have a node serve a vault')
    .argument('<vault>')
    .argument('<node>', 'its name')
    .action(async (vault: string, name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await moveVault(pool, vault, name);
        print(
          cli,
          `${vault} is served by ${name} when it is next asked for, in a few seconds`,
          { vault, node: name },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}
