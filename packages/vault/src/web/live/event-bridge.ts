import type { QueryClient } from '@tanstack/react-query';
import type { KeepsakeEvent } from '../../contract/index.ts';
import type { Api } from '../api/client.ts';
import { openEventStream } from './event-stream.ts';
import type { ConnectionState, StreamMessage } from './event-stream.ts';
import type { Freshness } from './freshness.ts';
import { shareEventStream } from './shared-event-stream.ts';
import type { Store } from './store.ts';

type EventBridgeDependencies = {
  api: Api;
  queries: QueryClient;
  connection: Store<ConnectionState>;
  freshness: Freshness;
};

/** Changes come in bursts, so queries are invalidated once per burst. */
const invalidationDebounceMs = 120;

/** Invalidates queries when events report that their data changed. */
export function startEventBridge({ api, queries, connection, freshness }: EventBridgeDependencies): void {
  const addStale = createDebouncedSet((keys) => {
    // Checks each active query against the changed keys, because there may be thousands of keys but only a few queries.
    const isStale = (key: readonly unknown[]): boolean =>
      key.some((_, index) => keys.has(JSON.stringify(key.slice(0, index + 1))));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) });
  });
  const handleMessage = (message: StreamMessage): void => {
    switch (message.kind) {
      case 'state': {
        // Requests have failed meanwhile. After an interruption, the position of the new stream tells what is stale.
        const isBack = message.state === 'live' && ['offline', 'signed-out'].includes(connection.get());
        connection.set(message.state);
        if (isBack) void queries.invalidateQueries();
        break;
      }
      case 'position':
        freshness.addStream(message.id);
        break;
      case 'reset':
        if (connection.get() === 'live') void queries.invalidateQueries();
        break;
      case 'event':
        for (const key of staleQueryKeys(message.event)) addStale(JSON.stringify(key));
        break;
    }
  };
  shareEventStream((onMessage) => openEventStream(api, onMessage), handleMessage);
}

/** The keys of the queries that an event makes stale. */
function staleQueryKeys(event: KeepsakeEvent): unknown[][] {
  switch (event.type) {
    case 'file-changed':
    case 'update-committed':
      return [
        ['tree'],
        ['backlinks'],
        ['inbox'],
        ['verify'],
        ['recent'],
        ['changes'],
        ['days'],
        ['projects'],
        ['today'],
        ['tasks'],
        ['tags'],
        ['notes'],
        ['calendar'],
        ['mentions'],
        ['change'],
        ['updates'],
        ['status'],
        ...event.paths.map(stripVaultPrefix).flatMap((path) => [
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
      return [['status']];
    case 'answer-started':
    case 'answer-finished':
      return [['answers'], ['status']];
    case 'tool-called':
    case 'tool-finished':
      return [['updates', event.run]];
    case 'step-finished':
      return [];
  }
}

function stripVaultPrefix(path: string): string {
  return path.replace(/^vault\//, '');
}

function createDebouncedSet(flush: (keys: Set<string>) => void): (key: string) => void {
  let keys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (key) => {
    keys.add(key);
    timer ??= setTimeout(() => {
      timer = undefined;
      const gathered = keys;
      keys = new Set();
      flush(gathered);
    }, invalidationDebounceMs);
  };
}
