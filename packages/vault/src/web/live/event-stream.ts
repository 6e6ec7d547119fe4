import { keepsakeEvent } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { base } from '../api/http.ts';
import type { Api } from '../api/client.ts';
import { place } from '../api/place.ts';
import { isCode } from '../api/problem.ts';

export type Connection = 'connecting' | 'live' | 'offline' | 'signed-out';

/** What a stream has to tell. After `reset` everything that is shown may be stale. */
export type StreamMessage =
  | { kind: 'state'; state: Connection }
  | { kind: 'reset' }
  | { kind: 'event'; event: KeepsakeEvent };

export type EventStream = {
  /** Tells how the connection is; one that is away is looked for at once. */
  look(): void;
  stop(): void;
};

const eventNames = keepsakeEvent.options.map(({ shape }) => shape.type.value);
const retryAfter = 1_500;

/**
 * The events of the server. The browser resumes a stream that broke; a server that was restarted, or does not know us any
 * more, is asked again and again until it answers.
 */
export function openEventStream(api: Api, tell: (message: StreamMessage) => void): EventStream {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let state: Connection = 'connecting';
  const become = (next: Connection): void => {
    state = next;
    tell({ kind: 'state', state });
  };

  const connect = (): void => {
    source = new EventSource(`${place()}${base}/events`);
    source.addEventListener('open', () => {
      // What happened before it was open is told to nobody.
      tell({ kind: 'reset' });
      become('live');
    });
    source.addEventListener('reset', () => tell({ kind: 'reset' }));
    for (const name of eventNames)
      source.addEventListener(name, (message: MessageEvent<string>) => {
        const parsed = keepsakeEvent.safeParse(JSON.parse(message.data));
        if (parsed.success) tell({ kind: 'event', event: parsed.data });
      });
    source.addEventListener('error', () => {
      source?.close();
      void lookAround();
    });
  };
  /** Why there is no stream, and when there can be one again. */
  const lookAround = async (): Promise<void> => {
    clearTimeout(timer);
    const found = await api.status().then(
      () => 'connecting' as const,
      (error: unknown) => (isCode(error, 'unauthorized') ? ('signed-out' as const) : ('offline' as const)),
    );
    if (isStopped) return;
    clearTimeout(timer);
    if (found === 'connecting') {
      if (state === 'live') become('connecting');
      timer = setTimeout(connect, state === 'connecting' ? 300 : 0);
    } else {
      become(found);
      timer = setTimeout(() => void lookAround(), retryAfter);
    }
  };

  connect();
  return {
    look() {
      if (state === 'offline' || state === 'signed-out') void lookAround();
      else tell({ kind: 'state', state });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      source?.close();
    },
  };
}
