import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { escapeInvisible } from '../../vault/index.ts';

const longestName = 60;

/** What the client calls itself: in each request, or when it connected. One of 2025 over HTTP does not say. */
export function clientName({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: { [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope;
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
  return name === undefined ? null : escapeInvisible(name).slice(0, longestName);
}
