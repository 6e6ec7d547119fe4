import type { McpServer } from '@modelcontextprotocol/server';
import { parseVaultPath } from '../../vault/index.ts';
import type { McpBackend } from './backend.ts';
import { resourceUri } from './resource-uri.ts';

/** Whom to tell of changes. Must not throw. */
type Telling = {
  updated(uri: string): void;
  /** There are other resources than before. */
  listed(): void;
  /** Whether anybody would hear it. */
  isHeard(): boolean;
};

/** Many changes that come together change the list once, in milliseconds. */
const settling = 300;

/** Tells of resources that changed; gives a function that ends it. */
export function watchResources(
  backend: McpBackend,
  telling: Telling,
  onError: (error: unknown) => void,
): () => void {
  let known: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const compare = async (): Promise<void> => {
    timer = null;
    const present = (await backend.listFiles())
      .map(({ path }) => path)
      .toSorted()
      .join('\n');
    // What was there before is not known the first time, so that it is told once too often rather than never.
    if (!isOver && present !== known) telling.listed();
    known = present;
  };
  const end = backend.onChange((paths) => {
    if (!telling.isHeard()) {
      known = null;
      return;
    }
    for (const path of paths) {
      const parsed = parseVaultPath(path);
      if (parsed.ok) telling.updated(resourceUri(parsed.path));
    }
    timer ??= setTimeout(() => void compare().catch(onError), settling).unref();
  });
  return () => {
    isOver = true;
    end();
    if (timer !== null) clearTimeout(timer);
  };
}

/** Tells the client of one connection; in the era before 2026 only of what it subscribed to, which is kept here. */
export function tellConnection(
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
  const telling: Telling = {
    updated(uri) {
      if (era === 'modern' || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(onError);
    },
    listed: () => void server.sendResourceListChanged().catch(onError),
    isHeard: () => server.transport !== undefined,
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  server.onclose = watchResources(backend, telling, onError);
}
