import { once } from 'node:events';

/** Rejects with the reason when `signal` is aborted; the signal must not be aborted yet. Stops listening when `over` is aborted. */
export async function rejectOnAbort(signal: AbortSignal, over?: AbortSignal): Promise<never> {
  await once(signal, 'abort', over === undefined ? {} : { signal: over });
  throw signal.reason;
}
