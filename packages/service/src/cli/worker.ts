import { Command } from 'commander';
import { exitCode, parseInteger } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { openServiceStores, openWorkerChannel, runWorker } from '../hosting/index.ts';
import { withTelemetry } from './with-telemetry.ts';

/** Runs a worker of a node, which starts it. */
export function workerCommand(cli: Cli): Command {
  return new Command('worker')
    .summary('serve vaults for a node, which starts this process')
    .argument('<name>', 'name of the worker')
    .option('--connections <number>', 'maximum number of database connections', parseInteger, 10)
    .action(async (name: string, { connections }: { connections: number }) => {
      const channel = openWorkerChannel();
      if (channel === null) {
        cli.stderr.write('a worker is started by its node; run: keepsake-service node\n');
        return cli.finish(exitCode.refused);
      }
      const stores = openServiceStores(cli.environment, connections);
      await withTelemetry(cli, name, ({ log }) =>
        runWorker({
          ...stores,
          environment: cli.environment,
          log: (entry) => log({ at: new Date().toISOString(), worker: name, ...entry }),
          channel,
        }),
      );
      await stores.close();
      cli.finish(exitCode.ok);
      // The channel would keep the process running.
      cli.exit(exitCode.ok);
    });
}
