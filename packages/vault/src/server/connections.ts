import { readFileSync } from 'node:fs';
import type { HttpBindings, ServerType } from '@hono/node-server';

/** One for HTTP/1. */
export type HttpServer = Extract<ServerType, { closeIdleConnections: unknown }>;
type Socket = HttpBindings['incoming']['socket'];

/** Milliseconds: for the head of a request, for all of it, and for whoever reads an answer to take some of it. */
export const timeouts = { head: 10_000, request: 300_000, stalled: 30_000, lookEvery: 2_000 };

/** Not more than half of the files that this process may have open, on systems that say how many these are. */
export function connectionsHere(most: number, limits = readLimits()): number {
  const open = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return open === undefined ? most : Math.min(most, Math.floor(Number(open) / 2));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Keeps connections from costing others anything. At the limit the oldest one gives way on which nobody waits for an
 * answer; the next request of its client makes a new one. Whoever takes nothing of an answer for a while loses it.
 */
export function boundConnections(server: HttpServer, most: number): void {
  const open = new Set<Socket>();
  /** Without a request under way, the one that has been so for longest first. */
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
    if (open.size <= most) return;
    const [oldest = socket] = idle;
    open.delete(oldest);
    idle.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.setTimeout(timeouts.stalled, (socket: Socket) => {
    // Who waits for an answer that takes long has nothing to take yet. With this listener, Node closes nothing by itself.
    if (socket.writableLength > 0 || idle.has(socket)) socket.destroy();
  });
}
