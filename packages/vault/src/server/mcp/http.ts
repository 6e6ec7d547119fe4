import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpBackend } from './backend.ts';
import { toAuthInfo } from './mcp-client.ts';
import type { McpCaller } from './mcp-client.ts';
import { createMcpFactory } from './factory.ts';
import { maxMessageBytes } from './options.ts';
import type { McpOptions } from './options.ts';
import { watchResources } from './resource-changes.ts';

export type McpHttp = {
  /**
   * Host, Origin and credential of the request must have been checked. With `message`, the already parsed body, the body
   * of the request is not read.
   */
  fetch: (request: Request, caller: McpCaller, message?: unknown) => Promise<Response>;
  /** Aborts open requests. */
  close(): Promise<void>;
};

/** MCP over streamable HTTP; every request is independent. */
export function createMcpHttp(backend: McpBackend, options: McpOptions): McpHttp {
  const { onError = () => undefined } = options;
  const bus = new InMemoryServerEventBus(onError);
  const serve = (isReadOnly: boolean): McpHttpHandler =>
    createMcpHandler(createMcpFactory(backend, { ...options, isReadOnly }), {
      bus,
      onerror: onError,
      maxRequestBodySize: maxMessageBytes,
    });
  const handlers = { read: serve(true), write: serve(options.isReadOnly) };
  const stop = watchResources(
    backend,
    {
      updated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
      listChanged: () => bus.publish({ kind: 'resources_list_changed' }),
      hasListeners: () => bus.listenerCount > 0,
    },
    onError,
  );
  return {
    fetch(request, caller, message) {
      const { fetch: answer } = handlers[caller.scope];
      const authInfo = toAuthInfo(caller);
      return answer(request, message === undefined ? { authInfo } : { authInfo, parsedBody: message });
    },
    async close() {
      stop();
      await Promise.all(Object.values(handlers).map((handler) => handler.close()));
    },
  };
}
