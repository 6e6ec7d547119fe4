/** Rejects with the signal's reason as soon as it is aborted, even if the work itself cannot be stopped. */
export async function withAbort<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
