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
   * of the request is not looked at.
   */
  fetch: (request: Request, scope: 'read' | 'write', message?: unknown) => Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
};

/** MCP over streamable HTTP: every request stands alone. */
export function createMcpHttp(backend: McpBackend, options: McpOptions): McpHttp {
  const { onError = () => undefined } = options;
  const bus = new InMemoryServerEventBus(onError);
  const serve = (isReadOnly: boolean): McpHttpHandler =>
    createMcpHandler(createMcpFactory(backend, { ...options, isReadOnly }), {
      bus,
      onerror: onError,
      maxRequestBodySize: largestMessage,
    });
  const handlers = { read: serve(true), write: serve(options.isReadOnly) };
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
    fetch(request, scope, message) {
      const { fetch: answer } = handlers[scope];
      return answer(request, message === undefined ? {} : { parsedBody: message });
    },
    async close() {
      stop();
      await Promise.all([handlers.read.close(), handlers.write.close()]);
    },
  };
}
