// Serves a vault over stdio, as `keepsake mcp` does: node stdio-server.ts <vault> <state> [--read-only] [--work]
import { openKeepsake, packageVersion, readEnvironment } from '../../src/app/index.ts';
import { createLocalBackend, serveMcpStdio } from '../../src/server/mcp/index.ts';

const [, , vault, state, ...flags] = process.argv;
const environment = readEnvironment(process.env);
const keepsake = await openKeepsake({ vault, state, environment });
const onError = (error: unknown): void => console.error(error);
const runner = flags.includes('--work') ? keepsake.agents.updates.start(onError) : null;
const { closed } = serveMcpStdio(createLocalBackend(keepsake, environment), {
  isReadOnly: flags.includes('--read-only'),
  version: packageVersion(),
  origin: 'mcp',
  onError,
});
await closed;
await runner?.stop();
await keepsake.close();
