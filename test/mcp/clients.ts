import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, ElicitResult, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { McpHttp } from '../../src/server/mcp/index.ts';
import { processVariables } from '../process-variables.ts';

export const eras = ['modern', 'legacy'] as const;
export type Era = (typeof eras)[number];

/** What the person says to a question that the client shows them. */
export type Answer = (message: string) => ElicitResult;

/** The address means nothing: requests are handed over in this process. */
export const address = 'http://127.0.0.1/mcp';

/** A client of the present SDK that speaks the revision of 2026, or one of 2025. */
async function connect(era: Era, transport: Transport, answer?: Answer): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1' },
    {
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
      ...(answer && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

export function connectHttp(
  http: McpHttp,
  era: Era,
  scope: 'read' | 'write' = 'write',
  answer?: Answer,
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: (url, init) => http.fetch(requestWith(url, init), scope),
  });
  return connect(era, transport, answer);
}

/** With the very signal that is given: what a request makes of it may be collected before it is aborted. */
function requestWith(url: string | URL, init: RequestInit = {}): Request {
  const request = new Request(url, init);
  return Object.defineProperty(request, 'signal', { value: init.signal ?? request.signal });
}

const entry = fileURLToPath(new URL('./stdio-server.ts', import.meta.url));

/** How to start our server as a process of its own. */
export function stdioCommand(vault: { folder: string; state: string }, ...flags: string[]) {
  return { command: process.execPath, args: [entry, vault.folder, vault.state, ...flags] };
}

export function connectStdio(
  vault: { folder: string; state: string },
  era: Era,
  { flags = [], env = {}, answer }: { flags?: string[]; env?: Record<string, string>; answer?: Answer } = {},
): Promise<Client> {
  return connect(
    era,
    new StdioClientTransport({
      ...stdioCommand(vault, ...flags),
      env: { ...processVariables, ...env },
      stderr: 'inherit',
    }),
    answer,
  );
}

/** Any command that speaks MCP. */
export function connectCommand(
  era: Era,
  command: { command: string; args: string[]; env: Record<string, string> },
  answer?: Answer,
): Promise<Client> {
  return connect(era, new StdioClientTransport({ ...command, stderr: 'inherit' }), answer);
}

export async function call(client: Client, name: string, input: object = {}): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...input } });
}

/** The text of a result, whether it is an error or not. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
