import { place } from '../api/place.ts';
import type { EventStream, StreamMessage } from './event-stream.ts';

/**
 * One stream for all tabs of a vault in a browser, which has six connections to a server and no more: the tab that holds the lock
 * listens and tells the others; when it is closed, the next one does. Where there are no locks each tab listens itself.
 */
export function shareStream(
  open: (tell: (message: StreamMessage) => void) => EventStream,
  take: (message: StreamMessage) => void,
): void {
  const name = `keepsake.events${place()}`;
  // Only a page that was loaded over TLS, or from this machine, has them.
  if (!('locks' in navigator)) return void open(take);
  const others = new BroadcastChannel(name);
  let own: EventStream | null = null;
  others.addEventListener('message', ({ data }: MessageEvent<StreamMessage | { kind: 'who' }>) => {
    if (data.kind === 'who') own?.look();
    else if (own === null) take(data);
  });
  others.postMessage({ kind: 'who' });
  void navigator.locks.request(name, () => {
    own = open((message) => {
      take(message);
      others.postMessage(message);
    });
    // As long as the tab is there.
    return new Promise<never>(() => undefined);
  });
}
