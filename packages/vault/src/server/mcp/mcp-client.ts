import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { AuthInfo, Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpClient } from './backend.ts';
import type { McpOptions } from './options.ts';

const maxClientNameLength = 60;

/** The sender of an HTTP request: its connection, what it may do, and its name if it is an invited member. */
export type McpCaller = { connection: string; scope: 'read' | 'write'; memberName?: string | undefined };

/** Passes the sender of a request through the SDK to its tools. */
export function toAuthInfo({ connection, scope, memberName }: McpCaller): AuthInfo {
  return { token: '', clientId: connection, scopes: [scope], extra: { memberName } };
}

/** The client that makes a call. Its origin as recorded in history: `mcp: claude-code`. */
export function readClient(
  server: McpServer,
  context: ServerContext,
  options: McpOptions & { run?: string },
): McpClient {
  const { clientId, extra } = context.http?.authInfo ?? {};
  const connection = options.run === undefined ? clientId : `stdio ${options.run}`;
  if (connection === undefined) throw new Error('an MCP request over HTTP must have a sender');
  const memberName = typeof extra?.['memberName'] === 'string' ? extra['memberName'] : [];
  const origin = [options.origin, memberName, readClientName(server, context) ?? []].flat().join(': ');
  return { connection, origin };
}

/** The client's name from the request or from the connection's handshake. HTTP clients of the 2025 protocol send none. */
export function readClientName({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: { [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope;
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
  return name === undefined ? null : escapeInvisible(name).slice(0, maxClientNameLength);
}
