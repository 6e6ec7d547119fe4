import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, rejectUpgrade } from '../../packages/vault/src/server/index.ts';

/** A server that records what it handles. */
async function startRecorder() {
  const handled: string[] = [];
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    log: () => undefined,
    onUpgrade: (_, socket) => rejectUpgrade(socket),
    async handle(request) {
      const body = await request.text().catch(() => 'cut off');
      handled.push(`${request.method} ${new URL(request.url).pathname} ${body}`.trim());
      return new Response('handled');
    },
  });
  onTestFinished(() => server.close());
  /** Sends bytes; returns what is answered until the server closes the connection. */
  const send = async (bytes: string): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.on('error', () => undefined).on('data', (part) => (answer += part.toString()));
    socket.write(bytes);
    await once(socket, 'close');
    return answer;
  };
  return { handled, send };
}

const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: notes.example', ...headers, '', ''].join('\r\n');
/** Follows on the same connection, and would be handled if the end of the first request were misread. */
const hidden = 'DELETE /hidden HTTP/1.1\r\nHost: notes.example\r\nConnection: close\r\n\r\n';
const chunked = 'Transfer-Encoding: chunked';
const inChunks = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const get = 'GET /first HTTP/1.1';
const put = 'PUT /first HTTP/1.1';

describe('the framing of a request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PROPFIND'])(
    'is refused with a body that %s has not',
    async (method) => {
      const { handled, send } = await startRecorder();
      const line = `${method} /first HTTP/1.1`;
      for (const request of [
        head(line, chunked) + inChunks(hidden),
        head(line, `Content-Length: ${hidden.length}`) + hidden,
      ]) {
        const answer = await send(request + hidden);
        expect(answer).toMatch(/^HTTP\/1.1 400 .*^connection: close\r$/ims);
        if (method !== 'HEAD') expect(answer).toContain(`"detail":"a ${method} request has no body"`);
      }
      expect(handled).toEqual([]);
    },
  );

  it.each([
    ['two ways to tell the length', 400, head(put, chunked, 'Content-Length: 4') + hidden],
    ['two lengths', 400, head(put, 'Content-Length: 4', 'Content-Length: 99') + hidden],
    ['the same length twice', 400, head(put, 'Content-Length: 4', 'Content-Length: 4') + hidden],
    ['a list of lengths', 400, head(put, 'Content-Length: 4, 99') + hidden],
    ['a signed length', 400, head(put, 'Content-Length: +4') + hidden],
    ['a length with a blank before its colon', 400, head(put, 'Content-Length : 4') + hidden],
    ['a length in a continued line', 400, head(put, 'Content-Length: 4', ' 99') + hidden],
    [
      'a coding besides chunked',
      400,
      head(put, 'Transfer-Encoding: gzip, chunked') + inChunks(hidden) + hidden,
    ],
    [
      'a coding that is not the last one',
      400,
      head(put, 'Transfer-Encoding: chunked, gzip') + inChunks(hidden) + hidden,
    ],
    ['a coding twice', 400, head(put, chunked, chunked) + inChunks(hidden) + hidden],
    ['an unknown coding', 400, head(put, 'Transfer-Encoding: xchunked') + inChunks(hidden) + hidden],
    [
      'a coding that HTTP/1.0 does not know',
      400,
      head('PUT /first HTTP/1.0', chunked) + inChunks(hidden) + hidden,
    ],
    ['a size that is not hexadecimal', 400, head(put, chunked) + `0x5\r\n${hidden}`],
    ['lines that end in a line feed', 400, `GET /first HTTP/1.1\nHost: notes.example\n\n${hidden}`],
    ['headers beyond the limit', 431, head(get, `X-Long: ${'x'.repeat(17_000)}`) + hidden],
    [
      'an expectation that no one knows',
      417,
      head(put, 'Expect: more', 'Content-Length: 4', 'Connection: close') + 'text',
    ],
    [
      'a change of the protocol',
      403,
      head(put, 'Connection: upgrade', 'Upgrade: h2c', 'Content-Length: 4') + hidden,
    ],
    ['a tunnel', null, `CONNECT notes.example:443 HTTP/1.1\r\nHost: notes.example\r\n\r\n${hidden}`],
  ])('is refused with %s', async (_, status, request) => {
    const { handled, send } = await startRecorder();
    const answer = await send(request);
    if (status === null) expect(answer).toBe('');
    else expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(handled.filter((each) => each.includes('hidden'))).toEqual([]);
  });

  it('is accepted in all forms that clients use', async () => {
    const { handled, send } = await startRecorder();
    const requests = [
      head(get),
      head(get, 'Content-Length: 0'),
      head('DELETE /first HTTP/1.1', 'Content-Length: 0'),
      head(put, 'Content-Length: 4') + 'text',
      head(put, chunked) + inChunks('text'),
      head(put, 'Transfer-Encoding: Chunked') + `4;extension=1\r\ntext\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      head(put, 'Expect: 100-continue', 'Content-Length: 4') + 'text',
      head(put),
    ];
    const answer = await send(requests.join('') + hidden);
    expect(answer.match(/HTTP\/1.1 200 /g)).toHaveLength(requests.length + 1);
    expect(handled).toEqual([
      'GET /first',
      'GET /first',
      'DELETE /first',
      'PUT /first text',
      'PUT /first text',
      'PUT /first text',
      'PUT /first text',
      'PUT /first',
      'DELETE /hidden',
    ]);
  });
});
