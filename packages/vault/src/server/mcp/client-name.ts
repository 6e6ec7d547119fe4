import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpOptions } from './options.ts';

const maxClientNameLength = 60;

/** The origin of a call as recorded in history: `mcp: claude-code`. */
export function formatCallOrigin(server: McpServer, context: ServerContext, { origin }: McpOptions): string {
  return [origin, readClientName(server, context) ?? []].flat().join(': ');
}

/** The client's name from the request or from the connection's handshake. HTTP clients of the 2025 protocol send none. */
export function readClientName({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: { [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope;
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
  return name === undefined ? null : escapeInvisible(name).slice(0, maxClientNameLength);
}
