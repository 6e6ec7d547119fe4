import { randomBytes } from 'node:crypto';
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import type { McpHttpHandler, ServerNotifier } from '@modelcontextprotocol/server';
import { registerContents } from './fixture-contents.ts';
import { registerInputs } from './fixture-inputs.ts';
import { registerTools } from './fixture-tools.ts';

/**
 * A server with the tools, resources and prompts that the conformance suite expects. It uses the same SDK entry point as
 * Keepsake, so that its results apply to Keepsake's transport, too.
 */
export function createFixture(): McpHttpHandler {
  const states = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });
  const handler: McpHttpHandler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'conformance-fixture', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: {},
          logging: {},
          completions: {},
        },
        requestState: { verify: (state, context) => states.verify(state, context) },
      },
    );
    const notify: ServerNotifier = handler.notify;
    registerTools(server, notify);
    registerContents(server);
    registerInputs(server, states);
    return server;
  });
  return handler;
}
