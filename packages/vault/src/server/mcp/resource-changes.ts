import type { McpServer } from '@modelcontextprotocol/server';
import { parseVaultPath } from '../../vault/index.ts';
import type { McpBackend } from './backend.ts';
import { formatResourceUri } from './resource-uri.ts';

/** Receives changes of resources. Its methods must not throw. */
type ResourceListener = {
  updated(uri: string): void;
  /** The list of resources has changed. */
  listChanged(): void;
  /** Whether any client is subscribed. */
  hasListeners(): boolean;
};

/** Changes within this time are announced as one change of the list. */
const listChangeDebounceMs = 300;

/** Reports changed resources to the listener; returns a function that stops it. */
export function watchResources(
  backend: McpBackend,
  listener: ResourceListener,
  onError: (error: unknown) => void,
): () => void {
  let lastPaths: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const compare = async (): Promise<void> => {
    timer = null;
    const paths = (await backend.listFiles())
      .map(({ path }) => path)
      .toSorted()
      .join('\n');
    // The previous list is unknown the first time: one superfluous notification is better than a missing one.
    if (!isStopped && paths !== lastPaths) listener.listChanged();
    lastPaths = paths;
  };
  const end = backend.onChange((paths) => {
    if (!listener.hasListeners()) {
      lastPaths = null;
      return;
    }
    for (const path of paths) {
      const parsed = parseVaultPath(path);
      if (parsed.ok) listener.updated(formatResourceUri(parsed.path));
    }
    timer ??= setTimeout(() => void compare().catch(onError), listChangeDebounceMs).unref();
  });
  return () => {
    isStopped = true;
    end();
    if (timer !== null) clearTimeout(timer);
  };
}

/** Notifies the client of one connection; with the legacy protocol, only of the resources it has subscribed to. */
export function notifyConnection(
  { server }: McpServer,
  backend: McpBackend,
  era: 'legacy' | 'modern',
  onError: (error: unknown) => void,
): void {
  const subscribed = new Set<string>();
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      subscribed.add(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
  }
  const listener: ResourceListener = {
    updated(uri) {
      if (era === 'modern' || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(onError);
    },
    listChanged: () => void server.sendResourceListChanged().catch(onError),
    hasListeners: () => server.transport !== undefined,
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an event target
  server.onclose = watchResources(backend, listener, onError);
}
