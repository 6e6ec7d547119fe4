import type { Duplex } from 'node:stream';
import type { Auth } from './auth/auth.ts';

/** Path and headers with which a local process of the user requests an upgraded connection. */
export const mcpUpgradePath = '/mcp/client';
export const mcpUpgradeHeaders = { connection: 'x-keepsake-connection', isReadOnly: 'x-keepsake-read-only' };

/** The id of an MCP connection, which stays the same when another process takes over, and whether its client is read-only. */
export type ClientConnection = { connection: string; isReadOnly: boolean };

export type ServeMcpClient = (stream: Duplex, about: ClientConnection) => void;

/** Takes over the socket of an upgraded connection. */
export type UpgradeHandler = (request: UpgradeRequest, socket: Duplex) => void;

type UpgradeRequest = { url?: string | undefined; headers: NodeJS.Dict<string | string[]> };

/** Accepts upgrades only from processes with the owner's secret, which relay an MCP client. */
export function createUpgradeHandler(
  auth: Pick<Auth, 'authenticate' | 'checkOrigin'>,
  closing: AbortSignal,
  serve: ServeMcpClient | undefined,
): UpgradeHandler {
  return (request, socket) => {
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    );
    const connection = headers.get(mcpUpgradeHeaders.connection);
    const isOurs =
      request.url === mcpUpgradePath &&
      serve !== undefined &&
      connection !== null &&
      auth.checkOrigin(headers) === null &&
      auth.authenticate(headers)?.kind === 'owner' &&
      !closing.aborted;
    if (!isOurs) return rejectUpgrade(socket);
    closing.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: keepsake\r\n\r\n');
    serve(socket, { connection, isReadOnly: headers.has(mcpUpgradeHeaders.isReadOnly) });
  };
}

export function rejectUpgrade(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
}
