// Serves a vault and tells, whenever it is asked, how much memory it takes and how long its event loop was held up.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readEnvironment } from '../packages/vault/dist/app/index.js';
import { startHost } from '../packages/vault/dist/server/index.js';

const [vault, state] = process.argv.slice(2);
const host = await startHost({
  vault,
  state,
  environment: readEnvironment(),
  log: () => undefined,
  onLost: () => process.exit(1),
});
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  globalThis.gc?.();
  process.send({ megabytes: process.memoryUsage().rss / 1e6, p99: delay.percentile(99) / 1e6 });
  delay.reset();
});
process.send({ url: host.url });
