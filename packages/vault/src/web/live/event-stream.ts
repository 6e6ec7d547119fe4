import { keepsakeEventSchema } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { apiBase } from '../api/http.ts';
import type { Api } from '../api/client.ts';
import { vaultPrefix } from '../api/vault-prefix.ts';
import { hasErrorCode } from '../api/api-error.ts';

export type ConnectionState = 'connecting' | 'live' | 'offline' | 'signed-out';

/** A message of the stream. After `reset`, all data may be stale. */
export type StreamMessage =
  | { kind: 'state'; state: ConnectionState }
  | { kind: 'reset' }
  /** The stream starts after this event. */
  | { kind: 'position'; id: string }
  | { kind: 'event'; event: KeepsakeEvent };

export type EventStream = {
  /** Sends the current state as a message. If the connection is down, it retries immediately. */
  reportState(): void;
  stop(): void;
};

const eventNames = keepsakeEventSchema.options.map(({ shape }) => shape.type.value);
const reconnectDelayMs = 1_500;

/**
 * Opens the event stream of the server. After an interruption, the server is polled until it responds, which
 * distinguishes a server that is down from a browser that is signed out.
 */
export function openEventStream(api: Api, onMessage: (message: StreamMessage) => void): EventStream {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let state: ConnectionState = 'connecting';
  const setState = (next: ConnectionState): void => {
    state = next;
    onMessage({ kind: 'state', state });
  };

  const connect = (): void => {
    source = new EventSource(`${vaultPrefix()}${apiBase}/events`);
    source.addEventListener('open', () => setState('live'));
    // Events that occurred before the stream was open have been missed.
    source.addEventListener('connected', ({ lastEventId }: MessageEvent<string>) =>
      onMessage({ kind: 'position', id: lastEventId }),
    );
    source.addEventListener('reset', () => onMessage({ kind: 'reset' }));
    for (const name of eventNames)
      source.addEventListener(name, (message: MessageEvent<string>) => {
        const parsed = keepsakeEventSchema.safeParse(JSON.parse(message.data));
        if (parsed.success) onMessage({ kind: 'event', event: parsed.data });
      });
    source.addEventListener('error', () => {
      source?.close();
      void checkConnection();
    });
  };
  /** Finds out why there is no stream, and reconnects or retries later. */
  const checkConnection = async (): Promise<void> => {
    clearTimeout(timer);
    const found = await api.status().then(
      () => 'connecting' as const,
      (error: unknown) =>
        hasErrorCode(error, 'unauthorized') ? ('signed-out' as const) : ('offline' as const),
    );
    if (isStopped) return;
    clearTimeout(timer);
    if (found === 'connecting') {
      if (state === 'live') setState('connecting');
      timer = setTimeout(connect, state === 'connecting' ? 300 : 0);
    } else {
      setState(found);
      timer = setTimeout(() => void checkConnection(), reconnectDelayMs);
    }
  };

  connect();
  return {
    reportState() {
      if (state === 'offline' || state === 'signed-out') void checkConnection();
      else onMessage({ kind: 'state', state });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      source?.close();
    },
  };
}
