import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import { pluralize } from '../../../vault/src/vault/index.ts';
import { drainNode, moveVault, readServiceStatus } from '../hosting/index.ts';
import type { ServiceContext, ServiceStatus } from '../hosting/index.ts';
import { withService } from './node.ts';

export function statusCommand(cli: Cli): Command {
  return new Command('status')
    .summary('show nodes, workers, vaults and problems')
    .option('--watch', 'repeat every two seconds until interrupted')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean; watch?: boolean }) => {
      await withService(cli.environment, async ({ pool }) => {
        if (options.watch === true) return watchStatus(cli, pool);
        const status = await readServiceStatus(pool);
        printResult(cli, formatStatus(status), status, options);
      });
      cli.finish(exitCode.ok);
    });
}

const watchIntervalMs = 2_000;
const clearScreen = '\u001B[2J\u001B[H';

async function watchStatus({ stdout, signals }: Cli, pool: ServiceContext['pool']): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => interrupted.abort());
  while (!interrupted.signal.aborted) {
    const text = await readServiceStatus(pool).then(formatStatus, describeError);
    stdout.write(`${stdout.isTTY === true ? clearScreen : ''}${new Date().toISOString()}\n${text}\n`);
    await sleep(watchIntervalMs, undefined, { signal: interrupted.signal }).catch(() => undefined);
  }
}

function formatStatus({ nodes, vaults, records, oldestRecordAt, problems }: ServiceStatus): string {
  const since = oldestRecordAt === null ? '' : `, the oldest from ${oldestRecordAt.toISOString()}`;
  return [
    ...nodes.map(formatNode),
    `${pluralize(vaults, 'vault')}, ${pluralize(records, 'record')} not yet in a snapshot${since}`,
    ...(problems.length === 0 ? ['no problems'] : []),
    ...problems.map(({ message, hint }) => `problem: ${message}\n  ${hint}`),
  ].join('\n');
}

function formatNode({ id, address, group, isAlive, isDraining, workers, vaults }: NodeStatus): string {
  return [
    id,
    address,
    ...(group === '' ? [] : [`group ${group}`]),
    isAlive ? (isDraining ? 'draining' : 'ready') : 'down',
    pluralize(workers, 'worker'),
    pluralize(vaults, 'vault'),
  ].join('  ');
}

type NodeStatus = ServiceStatus['nodes'][number];

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
