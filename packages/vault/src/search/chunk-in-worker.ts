import { Worker } from 'node:worker_threads';
import type { LayoutNames, VaultPath } from '../vault/index.ts';
import type { FileChunks } from './chunk-bytes.ts';

export type ChunkRequest = { path: VaultPath; bytes: Uint8Array; names: LayoutNames };

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './chunk-worker.ts' : '../search/chunk-worker.js',
  import.meta.url,
);

/** Like `chunkBytes`, in a thread that exits afterwards: a note of 20 MB takes seconds. */
export function chunkInWorker(request: ChunkRequest): Promise<FileChunks | null> {
  // Copies the bytes, because they may be a part of a larger buffer, all of which would be transferred.
  const bytes = Uint8Array.from(request.bytes);
  const { promise, resolve, reject } = Promise.withResolvers<FileChunks | null>();
  const thread = new Worker(worker, { workerData: { ...request, bytes }, transferList: [bytes.buffer] });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the worker that splits notes exited without a result')));
  return promise;
}
