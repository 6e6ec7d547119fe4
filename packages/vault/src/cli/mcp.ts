import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError, createOwnerLookup } from '../app/index.ts';
import { probeVariable } from '../connect/index.ts';
import { dial, relayMcp } from '../server/index.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ServedClient } from './serve-client.ts';

type McpOptions = VaultOptions & { readOnly?: boolean };

export function mcpCommand(cli: Cli): Command {
  const command = vaultCommand('mcp')
    .summary('serve the vault to one MCP client over standard input and output')
    .description(
      'Serves the vault to an MCP client over stdio, through a running keepsake serve if there is one.',
    )
    .option('--read-only', 'read-only access')
    .action(async (options: McpOptions) => {
      if (cli.environment.variable(probeVariable) !== undefined) {
        const { openVaultRoot } = await import('./lazy-open-keepsake.ts');
        openVaultRoot({ ...options, environment: cli.environment });
        return cli.finish(exitCode.ok);
      }
      const [input, output] = [cli.stdin(), cli.stdout];
      const { connect, close } = createConnector(cli, options);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) cli.signals.once(signal, () => input.destroy());
      try {
        await relayMcp({ connect, input, output });
      } finally {
        await close();
      }
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['mcp --vault ~/vault', 'mcp --vault ~/vault --read-only']);
}

type Connector = {
  /** Opens a stream to the process that serves the vault; if there is none, this process starts to serve it. */
  connect: () => Promise<Duplex>;
  /** Stops serving the vault here. */
  close: () => Promise<void>;
};

function createConnector(cli: Cli, { vault, state, readOnly }: McpOptions): Connector {
  const about = { connection: randomUUID(), isReadOnly: readOnly === true };
  const where = { vault, state, environment: cli.environment };
  let served: ServedClient | null = null;
  return {
    async connect() {
      let deadline = Infinity;
      for (;;) {
        const serving = await createOwnerLookup(where);
        const owner = serving?.find() ?? null;
        if (owner !== null) {
          const stream = await dial(owner, about);
          if (stream !== null) return stream;
          // The owner may be shutting down; then the next attempt finds no owner, or another one.
          deadline = Math.min(deadline, performance.now() + ownerConnectTimeoutMs);
          if (performance.now() > deadline)
            throw new AppError('bad-state', `process ${owner.pid} serves the vault but refuses MCP clients`, {
              hint: 'stop that process, then restart the client',
            });
        } else if (serving === null || serving.isNext()) {
          // Loaded lazily: when another process serves the vault, this one only relays lines.
          const { serveClient } = await import('./serve-client.ts');
          const client = await serveClient(cli, where, about);
          // Null when a process that started at the same time was faster: the next attempt connects to it.
          if (client !== null) return (served = client).stream;
        }
        await sleep(pollIntervalMs);
      }
    },
    close: async () => served?.close(),
  };
}

const pollIntervalMs = 50;
/** How long to retry when the serving process refuses connections. */
const ownerConnectTimeoutMs = 10_000;
