import type { QueryClient } from '@tanstack/react-query';
import { keepsakeEvent } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { base } from '../api/client.ts';
import type { Api } from '../api/client.ts';
import { isCode } from '../api/problem.ts';
import type { Store } from './store.ts';

export type Connection = 'connecting' | 'live' | 'offline' | 'signed-out';

type Parts = {
  api: Api;
  queries: QueryClient;
  connection: Store<Connection>;
};

const eventNames = keepsakeEvent.options.map(({ shape }) => shape.type.value);
const retryAfter = 1_500;
/** Changes come in bursts; what they touch is read once for all of them. */
const gather = 120;

/**
 * Keeps what is shown fresh: events make queries be read anew. The browser resumes a stream that broke; a server that
 * was restarted, or does not know us any more, is asked again and again until it answers.
 */
export function startEventBridge({ api, queries, connection }: Parts): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const stale = createGatherer((keys) => {
    // Thousands of files may have changed and few are shown, so it is asked which of those shown are among them.
    const isStale = (key: readonly unknown[]): boolean =>
      key.some((_, index) => keys.has(JSON.stringify(key.slice(0, index + 1))));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) });
  });

  const connect = (): void => {
    source = new EventSource(`${base}/events`);
    source.addEventListener('open', () => {
      const wasAway = connection.get() !== 'live';
      connection.set('live');
      if (wasAway) void queries.invalidateQueries();
    });
    source.addEventListener('reset', () => void queries.invalidateQueries());
    for (const name of eventNames)
      source.addEventListener(name, (message: MessageEvent<string>) => {
        const parsed = keepsakeEvent.safeParse(JSON.parse(message.data));
        if (!parsed.success) return;
        for (const key of touched(parsed.data)) stale.add(JSON.stringify(key));
      });
    source.addEventListener('error', () => {
      source?.close();
      void lookAround();
    });
  };
  /** Why there is no stream, and when there can be one again. */
  const lookAround = async (): Promise<void> => {
    if (isStopped) return;
    const state = await api.status().then(
      () => 'connecting' as const,
      (error: unknown) => (isCode(error, 'unauthorized') ? ('signed-out' as const) : ('offline' as const)),
    );
    if (isStopped) return;
    if (state === 'connecting') {
      if (connection.get() === 'live') connection.set('connecting');
      timer = setTimeout(connect, connection.get() === 'connecting' ? 300 : 0);
    } else {
      connection.set(state);
      timer = setTimeout(() => void lookAround(), retryAfter);
    }
  };

  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stale.stop();
    source?.close();
  };
}

/** Which queries an event makes stale. */
function touched(event: KeepsakeEvent): unknown[][] {
  switch (event.type) {
    case 'file-changed':
    case 'update-committed':
      return [
        ['tree'],
        ['inbox'],
        ['verify'],
        ['change'],
        ['updates'],
        ['status'],
        ...event.paths.map(bare).flatMap((path) => [
          ['file', path],
          ['history', path],
        ]),
      ];
    case 'update-accepted':
    case 'update-started':
    case 'update-unchanged':
    case 'update-failed':
      return [['updates'], ['status']];
    case 'update-held':
      return [['updates'], ['status'], ['inbox']];
    case 'inbox-changed':
      return [['inbox'], ['tree']];
    case 'spend-changed':
    case 'answer-finished':
      return [['status']];
    case 'tool-called':
    case 'tool-finished':
      return [['updates', event.run]];
    case 'answer-started':
    case 'step-finished':
      return [];
  }
}

function bare(path: string): string {
  return path.replace(/^vault\//, '');
}

function createGatherer(flush: (keys: Set<string>) => void): { add(key: string): void; stop(): void } {
  let keys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(key) {
      keys.add(key);
      timer ??= setTimeout(() => {
        timer = undefined;
        const gathered = keys;
        keys = new Set();
        flush(gathered);
      }, gather);
    },
    stop: () => clearTimeout(timer),
  };
}
