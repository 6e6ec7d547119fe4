// Serves a vault over stdio, as `keepsake mcp` does: node stdio-server.ts <vault> <state> [--read-only] [--work]
import { randomUUID } from 'node:crypto';
import { openKeepsake, packageVersion, readEnvironment } from '../../src/app/index.ts';
import { createLocalBackend, serveMcpStream } from '../../src/server/mcp/index.ts';

const [, , vault, state, ...flags] = process.argv;
const environment = readEnvironment(process.env);
const keepsake = await openKeepsake({ vault, state, environment });
const onError = (error: unknown): void => console.error(error);
const runner = flags.includes('--work') ? keepsake.agents.updates.start(onError) : null;
const { closed } = serveMcpStream(
  createLocalBackend(keepsake, environment),
  {
    isReadOnly: flags.includes('--read-only'),
    version: packageVersion(),
    origin: 'mcp',
    onError,
  },
  { input: process.stdin, output: process.stdout, connection: randomUUID() },
);
await closed;
await runner?.stop();
await keepsake.close();
