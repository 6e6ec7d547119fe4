import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitConnections, clampToOpenFileLimit } from '../../packages/vault/src/server/limit-connections.ts';

/** A server that answers `/slow` on demand, `/large` with more than a socket buffers, and everything else immediately. */
async function boundServer(most: number) {
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/slow') waiting.push(() => response.end('late'));
    else response.end(incoming.url === '/large' ? Buffer.alloc(50_000_000) : 'at once');
  });
  limitConnections(server, most);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const get = async (path: string): Promise<string> => {
    const clientRequest = request({ port, path, agent: false }).end();
    const [response] = (await once(clientRequest, 'response')) as [AsyncIterable<Buffer>];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return Buffer.concat(parts).toString();
  };
  return { server, open, get, answerSlow: () => waiting.splice(0).forEach((answer) => answer()), waiting };
}

const isClosed = (socket: Socket): Promise<boolean> =>
  socket.closed
    ? Promise.resolve(true)
    : Promise.race([once(socket, 'close').then(() => true), sleep(5_000, false)]);

describe('connection limit', () => {
  it('closes the oldest idle connection to accept a new one', async () => {
    const { open, get } = await boundServer(3);
    const silent = [await open(), await open(), await open()];
    expect(await get('/')).toBe('at once');
    expect(await isClosed(silent[0]!)).toBe(true);
    expect(silent.slice(1).map((socket) => socket.closed)).toEqual([false, false]);
  });

  it('never closes a connection with a pending response', async () => {
    const { open, get, waiting, answerSlow } = await boundServer(3);
    const slow = get('/slow');
    while (waiting.length === 0) await sleep(5);
    for (let time = 0; time < 10; time += 1) await open();
    expect(await get('/')).toBe('at once');
    answerSlow();
    expect(await slow).toBe('late');
  });

  it('rejects a new connection when all others have pending responses', async () => {
    const { open, get, waiting, answerSlow } = await boundServer(2);
    const slow = [get('/slow'), get('/slow')];
    while (waiting.length < 2) await sleep(5);
    expect(await isClosed(await open())).toBe(true);
    answerSlow();
    expect(await Promise.all(slow)).toEqual(['late', 'late']);
  });
});

describe('keep-alive connection', () => {
  it('is closed after the idle timeout', async () => {
    const { server, open } = await boundServer(10);
    server.keepAliveTimeout = 100;
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
    socket.resume();
    expect(await isClosed(socket)).toBe(true);
  });
});

describe('stalled reader', () => {
  it('is disconnected after the timeout, unlike a client awaiting a response', async () => {
    const { server, open, get, waiting, answerSlow } = await boundServer(10);
    expect(server.timeout).toBe(30_000);
    const connected: Socket[] = [];
    server.on('connection', (socket: Socket) => void connected.push(socket));
    const reader = await open();
    reader.pause();
    reader.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    const slow = get('/slow');
    while (waiting.length === 0 || connected[0]?.writableLength === 0) await sleep(5);
    // Node emits this event when the socket was inactive for the timeout.
    for (const socket of connected) server.emit('timeout', socket);
    expect(connected.map((socket) => socket.destroyed)).toEqual([true, false]);
    answerSlow();
    expect(await slow).toBe('late');
  });
});

describe('maximum number of connections', () => {
  it('is capped at half of the open-file limit', () => {
    expect(
      clampToOpenFileLimit(
        2_000,
        'Max open files            1024                 4096                 files',
      ),
    ).toBe(512);
    expect(
      clampToOpenFileLimit(
        2_000,
        'Max open files            1048576              1048576              files',
      ),
    ).toBe(2_000);
    expect(clampToOpenFileLimit(2_000, '')).toBe(2_000);
  });
});
