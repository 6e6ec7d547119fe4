import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { ChatImage, ChatTool } from './chat.ts';
import type { HeldCalls, HeldResult } from './held-calls.ts';
import { toToolSchema } from './tool-schema.ts';

export type ToolMailbox = { url: string; token: string; close(): void };

/** A longer result would be replaced by a path that the model cannot open. */
const maxResultCharacters = 500_000;

/**
 * An MCP server on this machine, for one run of one program. It executes nothing: a call is held until the agent loop
 * has decided what it returns.
 */
export async function startToolMailbox(tools: readonly ChatTool[], calls: HeldCalls): Promise<ToolMailbox> {
  const token = randomBytes(24).toString('base64url');
  const { createServer } = process.getBuiltinModule('node:http');
  const listed = tools.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: toToolSchema(input),
    // Calls marked as read-only are made at once instead of one after the other. None of them does anything here.
    annotations: { readOnlyHint: true },
    _meta: { 'anthropic/maxResultSizeChars': maxResultCharacters },
  }));
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    return void text(request)
      .then((body) => {
        const message = JSON.parse(body) as Message;
        const { id } = message;
        if (id === undefined) return response.writeHead(202).end();
        return respond(message, { listed, calls }, (content) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...content }));
        });
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    token,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Mailbox = { listed: object[]; calls: HeldCalls };

type Message = {
  id?: unknown;
  method?: string;
  params?: {
    protocolVersion?: string;
    name?: string;
    arguments?: unknown;
    _meta?: Record<string, unknown>;
  };
};

function respond(
  { method, params = {} }: Message,
  { listed, calls }: Mailbox,
  send: (content: object) => void,
): void {
  switch (method ?? '') {
    case 'initialize': {
      const { protocolVersion = '2025-11-25' } = params;
      const serverInfo = { name: 'vault', version: '1' };
      return send({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
    }
    case 'tools/list':
      return send({ result: { tools: listed } });
    case 'tools/call': {
      const { _meta: metadata } = params;
      const callId = metadata?.['claudecode/toolUseId'];
      return calls.hold({
        id: typeof callId === 'string' ? callId : undefined,
        tool: params.name ?? '',
        input: params.arguments ?? {},
        answer: (held) => send({ result: toMcpResult(held) }),
      });
    }
    default:
      return send({ error: { code: -32601, message: 'method not found' } });
  }
}

/** The result, followed by what the user says about it, in the order in which the model should read them. */
function toMcpResult({ result, userContent }: HeldResult): object {
  const images = result.kind === 'result' ? result.images : [];
  return {
    content: [
      { type: 'text', text: result.text },
      ...images.map(toMcpImage),
      ...userContent.flatMap((content) => [
        { type: 'text', text: content.text },
        ...content.images.map(toMcpImage),
      ]),
    ],
    isError: result.kind === 'refused',
  };
}

function toMcpImage({ mediaType, data }: ChatImage): object {
  return { type: 'image', mimeType: mediaType, data: Buffer.from(data).toString('base64') };
}
