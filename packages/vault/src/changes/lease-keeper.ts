import { Worker } from 'node:worker_threads';

/** A lease in a table with one row: `until` is its end, and `fence` is that of the holder. */
export type KeptLease = { table: string; fence: number; leaseMs: number };

/**
 * Renews the leases of this process in a thread, so that they do not expire while its event loop is busy. A suspended process loses
 * them nevertheless, because its threads are suspended, too.
 */
export type LeaseKeeper = {
  /** Renews a lease until the returned function is called, as long as the thread runs. */
  keep(lease: KeptLease): () => void;
  /** Starts the thread. Call it before work that may take long. */
  start(): void;
  /** Ends the thread, which also has the database open. */
  close(): Promise<void>;
};

export type LeaseMessage = { id: number; lease: KeptLease | null } | 'close';

const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './lease-thread.ts' : '../changes/lease-thread.js',
  import.meta.url,
);

/** `file` is the database of the leases. */
export function createLeaseKeeper(file: string): LeaseKeeper {
  const kept = new Map<number, KeptLease>();
  let lastId = 0;
  let thread: Worker | null = null;
  const send = (message: LeaseMessage): void => thread?.postMessage(message);
  return {
    keep(lease) {
      const id = (lastId += 1);
      kept.set(id, lease);
      send({ id, lease });
      return () => {
        kept.delete(id);
        send({ id, lease: null });
      };
    },
    start() {
      if (thread !== null) return;
      const started = new Worker(threadFile, { workerData: file });
      thread = started;
      // The event loop renews the leases as well.
      const forget = (): void => void (thread === started && (thread = null));
      started.on('error', forget);
      started.on('exit', forget);
      started.unref();
      for (const [id, lease] of kept) send({ id, lease });
    },
    async close() {
      const ending = thread;
      if (ending === null) return;
      ending.ref();
      send('close');
      thread = null;
      await new Promise((resolve) => void ending.once('exit', resolve));
    },
  };
}
