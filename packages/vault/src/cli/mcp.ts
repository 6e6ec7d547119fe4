import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Duplex, Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { lookForServing } from '../app/index.ts';
import { dial, relayMcp } from '../server/index.ts';
import type { Peer } from '../server/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

export function mcpCommand(cli: Cli): Command {
  const command = vaultCommand('mcp')
    .summary('serve the vault to one MCP client over standard input and output')
    .description(
      'What an MCP client starts. Talks to keepsake serve when that runs on the vault; else serves it by itself.',
    )
    .option('--read-only', 'the client may look and not write')
    .action(async ({ vault, state, readOnly }: VaultOptions & { readOnly?: boolean }) => {
      const about = { connection: randomUUID(), isReadOnly: readOnly === true };
      const where = { vault, state, environment: cli.environment };
      // Loaded only where this process has to serve: beside one that does it only carries lines.
      const serveHere = async (streams: Streams) =>
        (await import('./serve-client.ts')).serveClient(cli, where, { ...about, ...streams });
      /** A connection to who serves the vault; null when that is to be this process. */
      const reachOwner = async (): Promise<Duplex | null> => {
        const giveUp = performance.now() + patience;
        const serving = await lookForServing(where);
        if (serving === null) return null;
        for (;;) {
          const owner = serving.find();
          const stream = owner && (await dial(owner, about));
          if (stream !== null) return stream;
          if (owner === null ? serving.isNext() : performance.now() > giveUp) return null;
          await sleep(lookEvery);
        }
      };
      const first = await reachOwner();
      if (first === null) {
        const served = await serveHere({ input: cli.stdin(), output: cli.stdout });
        for (const signal of signals) cli.signals.once(signal, () => void served.close());
        await served.closed;
        return cli.finish(exitCode.ok);
      }
      const connect = async (): Promise<Peer> => {
        const stream = await reachOwner();
        if (stream !== null) return { readable: stream, writable: stream };
        const [input, output] = [new PassThrough(), new PassThrough()];
        const { closed } = await serveHere({ input, output });
        void closed.then(() => output.end());
        return { readable: output, writable: input };
      };
      for (const signal of signals) cli.signals.once(signal, () => cli.stdin().destroy());
      const peer = { readable: first, writable: first };
      await relayMcp({ peer, connect, input: cli.stdin(), output: cli.stdout });
      cli.finish(exitCode.ok);
    });
  return examples(command, ['mcp --vault ~/vault', 'mcp --vault ~/vault --read-only']);
}

type Streams = { input: Readable; output: Writable };

/** How often, and for how long at most, one that serves the vault and gives no connection is asked again: it may be closing. */
const lookEvery = 50;
const patience = 3_000;

const signals = ['SIGINT', 'SIGTERM'] as const;
