// Starts itself as a worker that blocks its event loop, prints the worker's id, and is killed.
import { exitWithParent } from '../../packages/vault/src/intake/exit-with-parent.ts';
import { spawnWorker } from '../../packages/vault/src/intake/start-worker.ts';

if (process.send === undefined) {
  const child = spawnWorker(100_000_000, null, new URL(import.meta.url));
  child.once('message', () => {
    process.stdout.write(String(child.pid), () => process.kill(process.pid, 'SIGKILL'));
  });
} else {
  exitWithParent();
  process.send('busy', () => {
    for (;;);
  });
}
