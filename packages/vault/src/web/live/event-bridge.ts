import type { QueryClient } from '@tanstack/react-query';
import type { KeepsakeEvent } from '../../contract/index.ts';
import type { Api } from '../api/client.ts';
import { openEventStream } from './event-stream.ts';
import type { Connection, StreamMessage } from './event-stream.ts';
import { shareStream } from './share-stream.ts';
import type { Store } from './store.ts';

type Parts = {
  api: Api;
  queries: QueryClient;
  connection: Store<Connection>;
};

/** Changes come in bursts; what they touch is read once for all of them. */
const gather = 120;

/** Keeps what is shown fresh: events make queries be read anew. */
export function startEventBridge({ api, queries, connection }: Parts): void {
  const addStale = createGatherer((keys) => {
    // Thousands of files may have changed and few are shown, so it is asked which of those shown are among them.
    const isStale = (key: readonly unknown[]): boolean =>
      key.some((_, index) => keys.has(JSON.stringify(key.slice(0, index + 1))));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) });
  });
  const take = (message: StreamMessage): void => {
    switch (message.kind) {
      case 'state': {
        const isBack = message.state === 'live' && connection.get() !== 'live';
        connection.set(message.state);
        if (isBack) void queries.invalidateQueries();
        break;
      }
      case 'reset':
        if (connection.get() === 'live') void queries.invalidateQueries();
        break;
      case 'event':
        for (const key of touched(message.event)) addStale(JSON.stringify(key));
        break;
    }
  };
  shareStream((tell) => openEventStream(api, tell), take);
}

/** Which queries an event makes stale. */
function touched(event: KeepsakeEvent): unknown[][] {
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

function bare(path: string): string {
  return path.replace(/^vault\//, '');
}

function createGatherer(flush: (keys: Set<string>) => void): (key: string) => void {
  let keys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (key) => {
    keys.add(key);
    timer ??= setTimeout(() => {
      timer = undefined;
      const gathered = keys;
      keys = new Set();
      flush(gathered);
    }, gather);
  };
}
