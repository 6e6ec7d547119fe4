import { fork } from 'node:child_process';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Environment } from '../../../vault/src/app/index.ts';
import { openServiceContext, startNode, defaultRetentionDays } from '../hosting/index.ts';
import type { ServiceContext, WorkerOptions } from '../hosting/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { withExamples, exitCode, parsePublicUrl, parseInteger } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { withTelemetry } from './with-telemetry.ts';

type NodeOptions = {
  name: string;
  host: string;
  port: number;
  address?: string;
  public?: string;
  folder?: string;
  snapshotAfter: number;
  sleepAfter: number;
  keepFor: number;
  group?: string;
  requireSandbox?: boolean;
  workers?: number;
};

/** Runs one node of a multi-vault service. Not needed for local vaults. */
export function nodeCommand(cli: Cli): Command {
  const node = new Command('node')
    .summary('run a node of a multi-vault service')
    .description(
      'Serve vaults of a service. The commit log is in PostgreSQL, snapshots are in an object store, and the local disk is a cache. See docs/operate/hosting.md.',
    )
    .option('--name <name>', 'unique name of this node', hostname())
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on', parseInteger, 4320)
    .option('--address <url>', 'URL at which other nodes reach this node (default: the listen address)')
    .option(
      '--public <address>',
      'public URL of the service, for example https://notes.example.org',
      parsePublicUrl,
    )
    .option('--folder <folder>', 'cache folder for vaults (default: in your state folder)')
    .option('--snapshot-after <records>', 'take a snapshot after this many records', parseInteger, 1_000)
    .option('--group <group>', 'serve only vaults of this group (default: vaults without a group)')
    .option(
      '--workers <number>',
      'processes that open vaults; 0 opens them in the process of the node (default: one per core)',
      parseInteger,
    )
    .option('--require-sandbox', 'refuse to convert documents without bubblewrap')
    .option('--sleep-after <seconds>', 'close a vault after this many idle seconds', parseInteger, 600)
    .option('--keep-for <days>', 'days for which a vault can be restored', parseInteger, defaultRetentionDays)
    .action(async (options: NodeOptions) => {
      await withTelemetry(cli, options.name, (observed) =>
        withService(cli.environment, (service) =>
          serveUntilStopped(cli, { ...service, ...observed }, options),
        ),
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(node, ['node --name a --host 0.0.0.0 --address http://10.0.0.1:4320']);
}

async function serveUntilStopped(
  cli: Cli,
  service: ServiceContext & { telemetry: Telemetry; log: (entry: object) => void },
  options: NodeOptions,
): Promise<void> {
  const { environment, stdout, signals } = cli;
  const node = await startNode({
    ...service,
    ...options,
    workers: workersOf(cli, options),
    publicUrl: options.public,
    snapshotAfter: { records: options.snapshotAfter },
    idleTimeoutMs: options.sleepAfter * 1_000,
    isSandboxRequired: options.requireSandbox,
    cacheFolder: environment.resolve(options.folder ?? join(environment.stateHome, 'node', options.name)),
    environment,
    log: (entry) => service.log({ at: new Date().toISOString(), ...entry }),
  });
  service.telemetry.registerGauge('keepsake.node.vaults', () => node.activeVaults().length);
  stdout.write(`node ${options.name} at ${node.address}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => resolve());
  });
  await node.close();
}

function workersOf(
  { script, environment }: Cli,
  { name, workers: count = availableParallelism() }: NodeOptions,
): WorkerOptions | undefined {
  if (count === 0) return undefined;
  const connections = Math.max(minConnections, Math.ceil(nodeConnections / count));
  return {
    count,
    start: (worker) =>
      fork(script, ['worker', `${name}/${worker}`, '--connections', String(connections)], {
        env: environment.variables,
        serialization: 'advanced',
      }),
  };
}

/** Database connections of all workers of a node together, and of each at least. */
const [nodeConnections, minConnections] = [20, 4];

/** Opens the database and the object store of the service, and closes them after `work`. */
export async function withService(
  environment: Environment,
  work: (service: ServiceContext) => Promise<void>,
): Promise<void> {
  const service = await openServiceContext(environment);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}
