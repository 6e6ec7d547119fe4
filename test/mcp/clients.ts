import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, ElicitResult, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { findOwnerProcess, resolveStateFolder } from '../../packages/vault/src/app/index.ts';
import { dial } from '../../packages/vault/src/server/index.ts';
import { serveMcpStream } from '../../packages/vault/src/server/mcp/index.ts';
import type { McpHttp } from '../../packages/vault/src/server/mcp/index.ts';
import { program } from '../process-variables.ts';
import { startCommand } from '../run-command.ts';
import type { Running } from '../run-command.ts';
import type { Served } from './mcp-vault.ts';

export const eras = ['modern', 'legacy'] as const;
export type Era = (typeof eras)[number];

/** The user's answer to an elicitation. */
export type Answer = (message: string) => ElicitResult;

/** A placeholder: requests are handled in this process. */
export const address = 'http://127.0.0.1/mcp';

/** Connects a client of the current SDK that uses the 2026 or the 2025 revision of the protocol. */
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
  { answer, connection = 'token test' }: { answer?: Answer; connection?: string } = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: (url, init) => http.fetch(requestWith(url, init), { connection, scope }),
  });
  return connect(era, transport, answer);
}

/** Uses the given signal itself: a derived one may be garbage-collected before it is aborted. */
function requestWith(url: string | URL, init: RequestInit = {}): Request {
  const request = new Request(url, init);
  return Object.defineProperty(request, 'signal', { value: init.signal ?? request.signal });
}

/** Connects over two streams of this process, served as `keepsake mcp` serves its standard input and output. */
export function connectStdio(
  served: Served,
  era: Era,
  { isReadOnly, answer }: { isReadOnly?: boolean; answer?: Answer } = {},
): Promise<Client> {
  return connectStreams(serveStdio(served, isReadOnly), era, answer);
}

/** Both directions use the same line format, so the server transport works for a client, too. */
export function connectStreams(
  { input, output }: { input: PassThrough; output: PassThrough },
  era: Era,
  answer?: Answer,
): Promise<Client> {
  return connect(era, new StdioServerTransport(output, input), answer);
}

/** The streams of a server that is closed when the test finishes. */
export function serveStdio({ backend, errors }: Served, isReadOnly = false) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const onError = (error: unknown): void => void errors.push(error);
  const { closed } = serveMcpStream(
    backend,
    { isReadOnly, version: '1.2.3', origin: 'mcp', onError },
    { input, output, connection: randomUUID() },
  );
  onTestFinished(() => {
    input.end();
    return closed;
  });
  return { input, output, closed };
}

/** Connects through the process that serves the vault, as `keepsake mcp` does. */
export async function connectBeside(
  where: Parameters<typeof resolveStateFolder>[0],
  era: Era,
  answer?: Answer,
): Promise<Client> {
  const owner = findOwnerProcess(resolveStateFolder(where), Date.now);
  const stream = owner && (await dial(owner, { connection: randomUUID(), isReadOnly: false }));
  if (stream === null) throw new Error('no process serves the vault');
  return connect(era, new StdioServerTransport(stream, stream), answer);
}

/** Runs `keepsake mcp` and its client in this process. */
export async function connectRunning(
  { folder, state }: { folder: string; state: string },
  ...flags: string[]
): Promise<{ client: Client; running: Running }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const running = startCommand(['mcp', '--vault', folder, '--state', state, ...flags], {
    input,
    onOutput: (text) => void output.write(text),
  });
  onTestFinished(async () => {
    input.end();
    await running.ended;
  });
  return { client: await connect('modern', new StdioServerTransport(output, input)), running };
}

/** The command with which an MCP client starts Keepsake. */
export function mcpCommand({ folder, state }: { folder: string; state: string }, ...flags: string[]) {
  const args = [program, 'mcp', '--vault', folder, '--state', state, ...flags];
  return { command: process.execPath, args };
}

/** Connects to any command that serves MCP. */
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

/** The text of a result or an error. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
