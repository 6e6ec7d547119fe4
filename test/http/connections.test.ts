import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundConnections, connectionsHere } from '../../packages/vault/src/server/connections.ts';

/** A server that answers `/slow` when it is told to, `/large` with more than a socket takes, and everything else at once. */
async function boundServer(most: number) {
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/slow') waiting.push(() => response.end('late'));
    else response.end(incoming.url === '/large' ? Buffer.alloc(50_000_000) : 'at once');
  });
  boundConnections(server, most);
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
    const asked = request({ port, path, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
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

describe('at the limit of connections', () => {
  it('the oldest that says nothing gives way, and who asks is answered', async () => {
    const { open, get } = await boundServer(3);
    const silent = [await open(), await open(), await open()];
    expect(await get('/')).toBe('at once');
    expect(await isClosed(silent[0]!)).toBe(true);
    expect(silent.slice(1).map((socket) => socket.closed)).toEqual([false, false]);
  });

  it('one that waits for its answer does not give way, however old it is', async () => {
    const { open, get, waiting, answerSlow } = await boundServer(3);
    const slow = get('/slow');
    while (waiting.length === 0) await sleep(5);
    for (let time = 0; time < 10; time += 1) await open();
    expect(await get('/')).toBe('at once');
    answerSlow();
    expect(await slow).toBe('late');
  });

  it('with an answer under way on all of them, the new one is turned away', async () => {
    const { open, get, waiting, answerSlow } = await boundServer(2);
    const slow = [get('/slow'), get('/slow')];
    while (waiting.length < 2) await sleep(5);
    expect(await isClosed(await open())).toBe(true);
    answerSlow();
    expect(await Promise.all(slow)).toEqual(['late', 'late']);
  });
});

describe('a connection that is kept after its answer', () => {
  it('is closed when nothing more is asked for', async () => {
    const { server, open } = await boundServer(10);
    server.keepAliveTimeout = 100;
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
    socket.resume();
    expect(await isClosed(socket)).toBe(true);
  });
});

describe('who takes nothing of an answer', () => {
  it('loses it when the time is over; who waits for one does not', async () => {
    const { server, open, get, waiting, answerSlow } = await boundServer(10);
    expect(server.timeout).toBe(30_000);
    const connected: Socket[] = [];
    server.on('connection', (socket: Socket) => void connected.push(socket));
    const reader = await open();
    reader.pause();
    reader.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    const slow = get('/slow');
    while (waiting.length === 0 || connected[0]?.writableLength === 0) await sleep(5);
    // As Node does when nothing has moved for that time.
    for (const socket of connected) server.emit('timeout', socket);
    expect(connected.map((socket) => socket.destroyed)).toEqual([true, false]);
    answerSlow();
    expect(await slow).toBe('late');
  });
});

describe('the number of connections', () => {
  it('leaves half of the files that may be open to the vault', () => {
    expect(
      connectionsHere(2_000, 'Max open files            1024                 4096                 files'),
    ).toBe(512);
    expect(
      connectionsHere(2_000, 'Max open files            1048576              1048576              files'),
    ).toBe(2_000);
    expect(connectionsHere(2_000, '')).toBe(2_000);
  });
});
