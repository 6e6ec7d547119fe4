import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpOptions } from './options.ts';

const longestName = 60;

/** Where a call comes from, for history: `mcp: claude-code`. */
export function callOrigin(server: McpServer, context: ServerContext, { origin }: McpOptions): string {
  return [origin, clientName(server, context) ?? []].flat().join(': ');
}

/** What the client calls itself: in each request, or when it connected. One of 2025 over HTTP does not say. */
export function clientName({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: { [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope;
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
  return name === undefined ? null : escapeInvisible(name).slice(0, longestName);
}
