import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpBackend } from './backend.ts';
import { createMcpFactory } from './factory.ts';
import { largestMessage } from './options.ts';
import type { McpOptions } from './options.ts';

export type McpStdio = {
  /** When the client is gone and the calls it had begun are over. */
  closed: Promise<void>;
  close(): Promise<void>;
};

/** MCP with a client on this machine, in lines. One connection is one run. */
export function serveMcpStream(
  backend: McpBackend,
  options: McpOptions,
  { input, output, connection }: { input: Readable; output: Writable; connection: string },
): McpStdio {
  const calls = new Set<Promise<unknown>>();
  const callTool: McpBackend['callTool'] = (call) => {
    const outcome = backend.callTool(call);
    const done = outcome.catch(() => undefined).finally(() => calls.delete(done));
    calls.add(done);
    return outcome;
  };
  // An answer that waits for the pipe listens to it, and many may wait at once.
  output.setMaxListeners(0);
  const transport = new StdioServerTransport(input, output, {
    maxBufferSize: largestMessage,
  });
  const factory = createMcpFactory(
    { ...backend, callTool },
    { ...options, mayQuotePerson: true, run: connection },
  );
  const handle = serveStdio(factory, { transport, ...(options.onError && { onerror: options.onError }) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const tellServer = transport.onclose;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  transport.onclose = () => {
    tellServer?.();
    void Promise.all(calls).then(() => resolve());
  };
  return { closed, close: () => handle.close() };
}
