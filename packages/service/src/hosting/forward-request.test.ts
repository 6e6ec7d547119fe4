import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createForwarder } from './forward-request.ts';

/** Long, so that headers within the limit of the server are beyond that of the worker. */
const secret = 'secret'.repeat(50);

type Received = { request: string; headers: IncomingHttpHeaders; body: string };

/** A server that forwards every request, whatever its form, to one worker; and what the worker received. */
async function startHop() {
  const received: Received[] = [];
  const connections = new Set<Socket>();
  const worker = createServer((incoming, response) => {
    connections.add(incoming.socket);
    if (incoming.url === '/early') return void response.writeHead(413).end('early');
    let body = '';
    incoming.on('data', (part: Buffer) => (body += part.toString()));
    incoming.on('end', () => {
      received.push({ request: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body });
      const answer = `answer to ${incoming.url}`;
      response.writeHead(200, { 'content-length': answer.length }).end(answer);
    });
  });
  const forwarder = createForwarder();
  const front = createServer((incoming, outgoing) => {
    const to = new URL(`http://127.0.0.1:${(worker.address() as AddressInfo).port}${incoming.url}`);
    forwarder.forward({ incoming, outgoing }, to, { 'x-secret': secret }).catch(() => outgoing.destroy());
  });
  await Promise.all([worker, front].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  onTestFinished(() => {
    forwarder.close();
    for (const server of [front, worker]) server.close().closeAllConnections();
  });
  const open = (): { socket: Socket; answer: () => string } => {
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('error', () => undefined).on('data', (part) => (answer += part.toString()));
    return { socket, answer: () => answer };
  };
  /** Sends bytes on a connection of its own; returns what is answered until it is closed. */
  const send = async (bytes: string): Promise<string> => {
    const { socket, answer } = open();
    socket.write(bytes);
    await once(socket, 'close');
    return answer();
  };
  /** A later request of another client, which is to arrive as it was sent. */
  const visit = (): Promise<string> => send(head('GET /diary HTTP/1.1', 'Authorization: Bearer victim'));
  const requests = (): string[] => received.map(({ request }) => request);
  return { received, requests, connections, open, send, visit };
}

const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: notes.example', 'Connection: close', ...headers, '', ''].join('\r\n');
const chunked = (text: string, trailer = ''): string =>
  `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n${trailer}\r\n`;
/** The beginning of a request that the next request on the same connection would complete. */
const begun = 'DELETE /diary HTTP/1.1\r\nX-Ignored: ';

describe('a forwarded request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST', 'PUT', 'PATCH'])(
    'keeps its body apart from the next request on the connection: %s',
    async (method) => {
      const { received, requests, connections, send, visit } = await startHop();
      for (const [header, body] of [
        ['Transfer-Encoding: chunked', chunked(begun)],
        ['Transfer-Encoding: chunked', chunked(begun, 'X-Trailer: DELETE /diary HTTP/1.1\r\n')],
        [`Content-Length: ${begun.length}`, begun],
      ] as const) {
        expect(await send(head(`${method} /first HTTP/1.1`, header) + body)).toMatch(/^HTTP\/1.1 200 /);
        expect(await visit()).toContain('answer to /diary');
      }
      const pair = [`${method} /first`, 'GET /diary'];
      expect(requests()).toEqual([...pair, ...pair, ...pair]);
      expect(received.map(({ body }) => body)).toEqual([begun, '', begun, '', begun, '']);
      expect(received.map(({ headers }) => headers['x-secret'])).toEqual(Array(6).fill(secret));
      expect(received.filter(({ headers }) => 'x-trailer' in headers)).toEqual([]);
      expect(connections.size).toBe(1);
    },
  );

  it('keeps the length that its client stated, and states one for an empty body', async () => {
    const { received, send } = await startHop();
    await send(head('PUT /a HTTP/1.1', 'Content-Length: 4') + 'text');
    await send(head('PUT /b HTTP/1.1', 'Transfer-Encoding: chunked') + chunked('text'));
    await send(head('PUT /c HTTP/1.1'));
    expect(received.map(({ headers }) => [headers['content-length'], headers['transfer-encoding']])).toEqual([
      ['4', undefined],
      [undefined, 'chunked'],
      ['0', undefined],
    ]);
  });

  it('leaves no connection to another client when its body is not complete', async () => {
    const { requests, connections, open, visit } = await startHop();
    for (const header of ['Content-Length: 90', 'Transfer-Encoding: chunked']) {
      connections.clear();
      const { socket } = open();
      socket.write(head('PUT /cut-off HTTP/1.1', header) + `5a\r\n${begun}`);
      await expect.poll(() => connections.size).toBeGreaterThan(0);
      socket.destroy();
      expect(await visit()).toContain('answer to /diary');
    }
    expect(requests()).toEqual(['GET /diary', 'GET /diary']);
  });

  it('leaves no connection to another client when it is answered before its body is complete', async () => {
    const { requests, connections, open, visit } = await startHop();
    const { socket, answer } = open();
    const line = 'PUT /early HTTP/1.1\r\nHost: notes.example\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(`${line}5a\r\n${begun}`);
    await expect.poll(answer).toContain('413');
    expect(await visit()).toContain('answer to /diary');
    socket.write(`${'x'.repeat(90 - begun.length)}\r\n0\r\n\r\n`);
    expect(await visit()).toContain('answer to /diary');
    expect(requests()).toEqual(['GET /diary', 'GET /diary']);
    expect(connections.size).toBe(2);
    socket.destroy();
  });

  it('is answered when its headers are too long for the worker, and so is the next', async () => {
    const { requests, send, visit } = await startHop();
    const answer = await send(head('GET /long HTTP/1.1', `X-Long: ${'x'.repeat(16_200)}`));
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(await visit()).toContain('answer to /diary');
    expect(requests()).toEqual(['GET /diary']);
  });
});
