import { hostname } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Environment } from '../../../vault/src/app/index.ts';
import { openService, startNode, usualDays } from '../hosting/index.ts';
import type { Service } from '../hosting/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { examples, exitCode, publicAddress, wholeNumber } from '../../../vault/src/cli/index.ts';
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
};

/** What a service of many vaults is run with. Nobody needs it for vaults of their own. */
export function nodeCommand(cli: Cli): Command {
  const node = new Command('node')
    .summary('be one of the machines of a service of many vaults')
    .description(
      'Serves vaults of a service: what is promised is in PostgreSQL, whole vaults are in an object store, and the disk of this machine is a copy. See docs/operate/hosting.md.',
    )
    .option('--name <name>', 'of this node, and of no other', hostname())
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <number>', 'on which port', wholeNumber, 4320)
    .option('--address <url>', 'how other nodes reach this one (default: where it listens)')
    .option(
      '--public <address>',
      'under which people and programs elsewhere reach the service, as https://notes.example.org',
      publicAddress,
    )
    .option('--folder <folder>', 'for copies of vaults (default: in your state folder)')
    .option(
      '--snapshot-after <records>',
      'when a vault in use is put into the object store',
      wholeNumber,
      1_000,
    )
    .option('--group <group>', 'serve vaults of this group alone (default: those in none)')
    .option('--require-sandbox', 'refuse documents where bubblewrap cannot be used to convert them')
    .option('--sleep-after <seconds>', 'when a vault is closed that nobody asks for', wholeNumber, 600)
    .option('--keep-for <days>', 'how far back a vault can be restored', wholeNumber, usualDays)
    .action(async (options: NodeOptions) => {
      await withTelemetry(cli, options.name, (observed) =>
        withService(cli.environment, (service) =>
          serveUntilStopped(cli, { ...service, ...observed }, options),
        ),
      );
      cli.finish(exitCode.ok);
    });
  return examples(node, ['node --name a --host 0.0.0.0 --address http://10.0.0.1:4320']);
}

async function serveUntilStopped(
  { environment, stdout, signals }: Cli,
  service: Service & { telemetry: Telemetry; log: (entry: object) => void },
  options: NodeOptions,
): Promise<void> {
  const node = await startNode({
    ...service,
    ...options,
    publicUrl: options.public,
    snapshotAfter: { records: options.snapshotAfter },
    idleAfter: options.sleepAfter * 1_000,
    isSandboxRequired: options.requireSandbox,
    folder: environment.resolve(options.folder ?? join(environment.stateHome, 'node', options.name)),
    environment,
    log: (entry) => service.log({ at: new Date().toISOString(), ...entry }),
  });
  service.telemetry.gauge('keepsake.node.vaults', () => node.awake().length);
  stdout.write(`node ${options.name} at ${node.address}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => resolve());
  });
  await node.close();
}

/** For who looks after a service. */
export async function withService(
  environment: Environment,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await openService(environment);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}
