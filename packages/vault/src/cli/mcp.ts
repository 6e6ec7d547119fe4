import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError, lookForServing } from '../app/index.ts';
import { dial, relayMcp } from '../server/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ServedClient } from './serve-client.ts';

type McpOptions = VaultOptions & { readOnly?: boolean };

export function mcpCommand(cli: Cli): Command {
  const command = vaultCommand('mcp')
    .summary('serve the vault to one MCP client over standard input and output')
    .description(
      'What an MCP client starts. Talks to keepsake serve when that runs on the vault; else serves it by itself.',
    )
    .option('--read-only', 'the client may look and not write')
    .action(async (options: McpOptions) => {
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
  return examples(command, ['mcp --vault ~/vault', 'mcp --vault ~/vault --read-only']);
}

type Connector = {
  /** Opens a stream to the process that serves the vault, which is this one when no other does. */
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
      let giveUpAt = Infinity;
      for (;;) {
        const serving = await lookForServing(where);
        const owner = serving?.find() ?? null;
        if (owner !== null) {
          const stream = await dial(owner, about);
          if (stream !== null) return stream;
          // It may be closing; then the next attempt finds no owner, or another one.
          giveUpAt = Math.min(giveUpAt, performance.now() + timeoutMs);
          if (performance.now() > giveUpAt)
            throw new AppError('bad-state', `process ${owner.pid} serves the vault and refuses MCP clients`, {
              mend: 'stop that process, then start the client again',
            });
        } else if (serving === null || serving.isNext()) {
          // Loaded only here: beside a process that serves the vault, this one only carries lines.
          const { serveClient } = await import('./serve-client.ts');
          const client = await serveClient(cli, where, about);
          // Null when a process that started at the same time was faster: then that one is dialled.
          if (client !== null) return (served = client).stream;
        }
        await sleep(pollIntervalMs);
      }
    },
    close: async () => served?.close(),
  };
}

const pollIntervalMs = 50;
/** How long a process that serves the vault and refuses connections is asked again. */
const timeoutMs = 10_000;
