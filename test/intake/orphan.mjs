// Starts itself as a worker that never comes back to its event loop, says its id, and is killed.
import { endWithParent } from '../../packages/vault/src/intake/end-with-parent.ts';
import { startWorker } from '../../packages/vault/src/intake/start-worker.ts';

if (process.send === undefined) {
  const child = startWorker(100_000_000, null, new URL(import.meta.url));
  child.once('message', () => {
    process.stdout.write(String(child.pid), () => process.kill(process.pid, 'SIGKILL'));
  });
} else {
  endWithParent();
  process.send('busy', () => {
    for (;;);
  });
}
