// Serves a vault and reports its memory and event loop delay on request.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readEnvironment } from '../packages/vault/dist/app/index.js';
import { startVaultHost } from '../packages/vault/dist/server/index.js';

const [vault, state] = process.argv.slice(2);
const host = await startVaultHost({
  vault,
  state,
  environment: readEnvironment(),
  log: () => undefined,
  onLeaseLost: () => process.exit(1),
});
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  globalThis.gc?.();
  process.send({ megabytes: process.memoryUsage().rss / 1e6, p99: delay.percentile(99) / 1e6 });
  delay.reset();
});
process.send({ url: host.url });
