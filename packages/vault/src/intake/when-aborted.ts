import { once } from 'node:events';

/** Throws the reason when `signal` is aborted; not meant for one that is already. Listens until `over`. */
export async function whenAborted(signal: AbortSignal, over?: AbortSignal): Promise<never> {
  await once(signal, 'abort', over === undefined ? {} : { signal: over });
  throw signal.reason;
}
