import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpBackend } from './backend.ts';
import { createMcpFactory } from './factory.ts';
import { largestMessage } from './options.ts';
import type { McpOptions } from './options.ts';
import { watchResources } from './resource-changes.ts';

export type McpHttp = {
  /**
   * Whoever calls it has checked Host, Origin and token; `read` is all that the token allows, or `write`. With a message the body
   * of the request is not looked at. `person` is the name of who was invited, for history.
   */
  fetch: (request: Request, scope: 'read' | 'write', message?: unknown, person?: string) => Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
};

/** MCP over streamable HTTP: every request stands alone. */
export function createMcpHttp(backend: McpBackend, options: McpOptions): McpHttp {
  const { onError = () => undefined } = options;
  const bus = new InMemoryServerEventBus(onError);
  const serve = (isReadOnly: boolean, person?: string): McpHttpHandler => {
    const origin = person === undefined ? options.origin : `${options.origin}: ${person}`;
    return createMcpHandler(createMcpFactory(backend, { ...options, origin, isReadOnly }), {
      bus,
      onerror: onError,
      maxRequestBodySize: largestMessage,
    });
  };
  /** By what they may, and for whom. */
  const handlers = new Map<string, McpHttpHandler>();
  const stop = watchResources(
    backend,
    {
      updated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
      listed: () => bus.publish({ kind: 'resources_list_changed' }),
      isHeard: () => bus.listenerCount > 0,
    },
    onError,
  );
  return {
    fetch(request, scope, message, person) {
      const key = `${scope} ${person ?? ''}`;
      const handler = handlers.get(key) ?? serve(scope === 'read' || options.isReadOnly, person);
      handlers.set(key, handler);
      const { fetch: answer } = handler;
      return answer(request, message === undefined ? {} : { parsedBody: message });
    },
    async close() {
      stop();
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}
