import type { Duplex } from 'node:stream';
import type { Auth } from './auth/auth.ts';

/** Where a process of the person asks for a connection of its own, and what it says of it. */
export const clientPath = '/mcp/client';
export const clientHeaders = { connection: 'x-keepsake-connection', isReadOnly: 'x-keepsake-read-only' };

/** The id of an MCP connection, which stays the same with the next process, and whether its client may only read. */
export type ClientConnection = { connection: string; isReadOnly: boolean };

export type ServeClient = (stream: Duplex, about: ClientConnection) => void;

/** Takes a connection over, for as long as it lasts. */
export type TakeConnection = (request: Asking, socket: Duplex) => void;

type Asking = { url?: string | undefined; headers: NodeJS.Dict<string | string[]> };

/** Hands connections to processes of the person that speak for an MCP client; nobody else gets one. */
export function takeClients(
  auth: Pick<Auth, 'identify' | 'refusal'>,
  closing: AbortSignal,
  serve: ServeClient | undefined,
): TakeConnection {
  return (request, socket) => {
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    );
    socket.on('error', () => socket.destroy());
    const connection = headers.get(clientHeaders.connection);
    const isOurs =
      request.url === clientPath &&
      serve !== undefined &&
      connection !== null &&
      auth.refusal(headers) === null &&
      auth.identify(headers)?.kind === 'owner' &&
      !closing.aborted;
    if (!isOurs) return refuseConnection(socket);
    closing.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: keepsake\r\n\r\n');
    serve(socket, { connection, isReadOnly: headers.has(clientHeaders.isReadOnly) });
  };
}

export function refuseConnection(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
}
