import { Worker } from 'node:worker_threads';

/**
 * Runs a module in a thread that exits afterwards: it gets `data` as `workerData`, and its first message is the result.
 * `transferred` are the buffers of `data` that move to the thread instead of being copied.
 */
export function runInThread<Result>(
  module: URL,
  data: object,
  transferred: readonly (Uint8Array<ArrayBuffer> | null)[],
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const transferList = transferred.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer]));
  const thread = new Worker(module, { workerData: data, transferList });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error(`${module.pathname} exited without a result`)));
  return promise;
}

/** Copies only these bytes: they may be a slice of a much larger buffer, all of which would be transferred. */
export function copyForThread(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
export function copyForThread(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null;
export function copyForThread(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes === null ? null : new Uint8Array(bytes);
}
