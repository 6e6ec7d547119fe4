import type { UpdateQueue } from './update-queue.ts';

/** Resolves at the next change of the queue, after the timeout or when the signal is aborted, whichever comes first. */
export function nextChange(
  queue: Pick<UpdateQueue, 'onChange'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopListening = queue.onChange(end);
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end);
  });
}
