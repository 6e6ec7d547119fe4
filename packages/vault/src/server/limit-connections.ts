import { readFileSync } from 'node:fs';
import type { HttpBindings, ServerType } from '@hono/node-server';

/** An HTTP/1 server. */
export type HttpServer = Extract<ServerType, { closeIdleConnections: unknown }>;
type Socket = HttpBindings['incoming']['socket'];

/** Timeouts in milliseconds: for the headers of a request, for the whole request, and for a client that stops reading its response. */
export const timeouts = { headersMs: 10_000, requestMs: 300_000, stalledMs: 30_000, checkIntervalMs: 2_000 };

/** Limits the connections to half of the open-file limit of this process, on systems that report it. */
export function clampToOpenFileLimit(maxConnections: number, limits = readLimits()): number {
  const open = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return open === undefined ? maxConnections : Math.min(maxConnections, Math.floor(Number(open) / 2));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** The oldest connection with a response that its client has not read. */
function findUnread(open: ReadonlySet<Socket>): Socket | undefined {
  return [...open].find((socket) => socket.writableLength > 0);
}

/**
 * Limits the number of connections. At the limit, the connection that has been idle the longest is closed; its client
 * reconnects with its next request. If none is idle, the oldest one whose client does not read its response is closed.
 * Also closes the connection of a client that stops reading its response.
 */
export function limitConnections(server: HttpServer, maxConnections: number): void {
  const open = new Set<Socket>();
  /** Connections without a pending request, longest idle first. */
  const idle = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();
  const count = (socket: Socket, more: number): void => {
    const now = (requests.get(socket) ?? 0) + more;
    requests.set(socket, now);
    if (now > 0) idle.delete(socket);
    else if (open.has(socket)) idle.add(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    if (open.size <= maxConnections) return;
    const [oldest = findUnread(open) ?? socket] = idle;
    open.delete(oldest);
    idle.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.setTimeout(timeouts.stalledMs, (socket: Socket) => {
    // A client that waits for a slow response has nothing to read yet, so it is kept. With this listener, Node no
    // longer closes sockets on a timeout itself.
    if (socket.writableLength > 0 || idle.has(socket)) socket.destroy();
  });
}
