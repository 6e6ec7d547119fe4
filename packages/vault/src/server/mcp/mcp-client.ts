import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { AuthInfo, Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../app/index.ts';
import type { RunClient } from '../../app/index.ts';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpBackend, McpClient } from './backend.ts';
import type { McpOptions } from './options.ts';

const maxClientNameLength = 60;

/** The sender of an HTTP request. */
export type McpCaller = Omit<McpClient, 'origin'> & {
  scope: 'read' | 'write';
  /** The name of an invited member, for history. */
  memberName?: string | undefined;
};

/** Passes the sender of a request through the SDK to its tools. */
export function toAuthInfo(caller: McpCaller): AuthInfo {
  return { token: '', clientId: caller.connection, scopes: [caller.scope], extra: { caller } };
}

/** The name of a connection over standard input and output. */
export function stdioConnection(run: string): string {
  return `stdio ${run}`;
}

/** A client that files updates. Only one on this machine may write in the user's name. */
export function readRunClient(
  server: McpServer,
  context: ServerContext,
  options: McpOptions & { run?: string },
): RunClient {
  const { connection, origin, assertAllowed = () => undefined } = readClient(server, context, options);
  return {
    connection,
    name: origin,
    isSession: options.run !== undefined,
    isTrusted: options.trustsUserClaims === true,
    assertAllowed,
  };
}

/** The client that makes a call. Its origin as recorded in history: `mcp: claude-code`. */
export function readClient(
  server: McpServer,
  context: ServerContext,
  options: McpOptions & { run?: string },
): McpClient {
  const caller = context.http?.authInfo?.extra?.['caller'] as McpCaller | undefined;
  const connection = options.run === undefined ? caller?.connection : stdioConnection(options.run);
  if (connection === undefined) throw new Error('an MCP request over HTTP must have a sender');
  const names = [options.origin, caller?.memberName ?? [], readClientName(server, context) ?? []];
  return { connection, origin: names.flat().join(': '), assertAllowed: caller?.assertAllowed };
}

/**
 * A client that files an update writes nothing beside its run: the review of the run covers all that the words of the
 * update made it write.
 */
export function requireNoOpenRun({ clientRuns }: McpBackend, { connection }: McpClient): void {
  const run = clientRuns.findOpen(connection);
  if (run !== null) throw new AppError('bad-input', `run ${run} is open`, { hint: 'call memory_done first' });
}

/** The client's name from the request or from the connection's handshake. HTTP clients of the 2025 protocol send none. */
export function readClientName({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: { [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope;
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
  return name === undefined ? null : escapeInvisible(name).slice(0, maxClientNameLength);
}
