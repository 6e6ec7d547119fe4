import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpBackend } from './backend.ts';
import { createMcpFactory } from './factory.ts';
import { maxMessageBytes } from './options.ts';
import type { McpOptions } from './options.ts';
import { watchResources } from './resource-changes.ts';

export type McpHttp = {
  /**
   * The caller must have checked Host, Origin and token; `scope` is what the token allows. With `message`, the already parsed
   * body, the body of the request is not read. `memberName` is the name of an invited member, for history.
   */
  fetch: (
    request: Request,
    scope: 'read' | 'write',
    message?: unknown,
    memberName?: string,
  ) => Promise<Response>;
  /** Aborts open requests. */
  close(): Promise<void>;
};

/** MCP over streamable HTTP; every request is independent. */
export function createMcpHttp(backend: McpBackend, options: McpOptions): McpHttp {
  const { onError = () => undefined } = options;
  const bus = new InMemoryServerEventBus(onError);
  const serve = (isReadOnly: boolean, memberName?: string): McpHttpHandler => {
    const origin = memberName === undefined ? options.origin : `${options.origin}: ${memberName}`;
    return createMcpHandler(createMcpFactory(backend, { ...options, origin, isReadOnly }), {
      bus,
      onerror: onError,
      maxRequestBodySize: maxMessageBytes,
    });
  };
  /** By scope and member. */
  const handlers = new Map<string, McpHttpHandler>();
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
    fetch(request, scope, message, memberName) {
      const key = `${scope} ${memberName ?? ''}`;
      const handler = handlers.get(key) ?? serve(scope === 'read' || options.isReadOnly, memberName);
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
