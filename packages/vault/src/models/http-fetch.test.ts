import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpFetch } from './http-fetch.ts';

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const silenceMs = 2_000;
const fetchModel = createHttpFetch(silenceMs);
const fetchImpatiently = createHttpFetch(100);

describe('a request to a model server', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      response.writeHead(418, 'Teapot', { 'x-a': 'b' });
      response.end(`${request.method} ${String(request.headers['x-key'])} ${body}`);
    });
    const response = await fetchModel(url, { method: 'POST', headers: { 'x-key': 'k' }, body: 'é' });
    expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([418, 'Teapot', 'b']);
    expect(await response.text()).toBe('POST k é');
  });

  it('fails if the server stays silent before its answer or in the middle of it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/middle') response.writeHead(200).write('data');
    });
    await expect(fetchImpatiently(url)).rejects.toMatchObject({ name: 'TimeoutError' });
    const response = await fetchImpatiently(`${url}middle`);
    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('goes on as long as the server sends anything, such as comments and empty deltas', async () => {
    const url = await serve(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let sent = 0; sent < 6; sent += 1) {
        response.write(sent % 2 === 0 ? ': keep-alive\n\n' : 'data: {"choices":[{"delta":{}}]}\n\n');
        await delay(silenceMs / 4);
      }
      response.end('data: [DONE]\n\n');
    });
    expect(await (await fetchModel(url)).text()).toContain('[DONE]');
  });

  it('fails like the built-in fetch if the connection is refused or lost', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    await expect((await fetchModel(url)).text()).rejects.toThrow(TypeError);
    await expect(fetchModel('http://127.0.0.1:1/')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('fails with the reason of an aborted signal', async () => {
    const url = await serve(() => undefined);
    const reason = new Error('enough');
    await expect(fetchModel(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stopping = new AbortController();
    const asked = fetchModel(url, { signal: stopping.signal });
    setTimeout(() => stopping.abort(reason), 20);
    await expect(asked).rejects.toBe(reason);
  });
});
