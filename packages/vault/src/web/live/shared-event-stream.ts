import { vaultPrefix } from '../api/vault-prefix.ts';
import type { EventStream, StreamMessage } from './event-stream.ts';

/**
 * Shares one stream between all tabs of a vault, because a browser opens at most six connections to a server. The tab that holds the
 * lock listens and broadcasts to the others; when it closes, another tab takes over. Without the Web Locks API, each tab has its own stream.
 */
export function shareEventStream(
  open: (onMessage: (message: StreamMessage) => void) => EventStream,
  handleMessage: (message: StreamMessage) => void,
): void {
  const name = `keepsake.events${vaultPrefix()}`;
  // Locks exist only in secure contexts.
  if (!('locks' in navigator)) return void open(handleMessage);
  const others = new BroadcastChannel(name);
  let ownStream: EventStream | null = null;
  others.addEventListener('message', ({ data }: MessageEvent<StreamMessage | { kind: 'who' }>) => {
    if (data.kind === 'who') ownStream?.reportState();
    else if (ownStream === null) handleMessage(data);
  });
  others.postMessage({ kind: 'who' });
  void navigator.locks.request(name, () => {
    ownStream = open((message) => {
      handleMessage(message);
      others.postMessage(message);
    });
    // Never resolves, so the lock is held until the tab closes.
    return new Promise<never>(() => undefined);
  });
}
