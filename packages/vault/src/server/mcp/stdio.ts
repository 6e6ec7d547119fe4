import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpBackend } from './backend.ts';
import { createMcpFactory } from './factory.ts';
import { maxMessageBytes } from './options.ts';
import { stdioConnection } from './mcp-client.ts';
import type { McpOptions } from './options.ts';

export type McpStreamServer = {
  /** Resolves when the client has disconnected and its pending calls have finished. */
  closed: Promise<void>;
  close(): Promise<void>;
};

/** Serves MCP to a local client over line-delimited JSON. One connection is one run. */
export function serveMcpStream(
  backend: McpBackend,
  options: McpOptions,
  { input, output, connection }: { input: Readable; output: Writable; connection: string },
): McpStreamServer {
  const calls = new Set<Promise<unknown>>();
  const callTool: McpBackend['callTool'] = (call) => {
    const outcome = backend.callTool(call);
    const done = outcome.catch(() => undefined).finally(() => calls.delete(done));
    calls.add(done);
    return outcome;
  };
  // Every response that waits for the pipe to drain adds a listener, and many may wait at the same time.
  output.setMaxListeners(0);
  const transport = new StdioServerTransport(input, output, {
    maxBufferSize: maxMessageBytes,
  });
  const factory = createMcpFactory(
    { ...backend, callTool },
    { ...options, trustsUserClaims: true, run: connection },
  );
  const handle = serveStdio(factory, { transport, ...(options.onError && { onerror: options.onError }) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const notifyServer = transport.onclose;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an event target
  transport.onclose = () => {
    notifyServer?.();
    void Promise.all([...calls, backend.clientRuns.end(stdioConnection(connection))]).then(() => resolve());
  };
  return { closed, close: () => handle.close() };
}
