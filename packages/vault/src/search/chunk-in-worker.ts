import { copyForThread, runInThread } from '../vault/index.ts';
import type { LayoutNames, VaultPath } from '../vault/index.ts';
import type { FileChunks } from './chunk-bytes.ts';

export type ChunkRequest = { path: VaultPath; bytes: Uint8Array; names: LayoutNames };

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './chunk-worker.ts' : '../search/chunk-worker.js',
  import.meta.url,
);

/** Like `chunkBytes`, without blocking the event loop: a note of 20 MB takes seconds. */
export function chunkInWorker(request: ChunkRequest): Promise<FileChunks | null> {
  const bytes = copyForThread(request.bytes);
  return runInThread(worker, { ...request, bytes }, [bytes]);
}
