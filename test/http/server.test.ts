import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { openTokens, ServerError, startServer } from '../../packages/vault/src/server/index.ts';
import type { RunningServer, ServerOptions } from '../../packages/vault/src/server/index.ts';
import { temporaryVault } from '../temporary-vault.ts';
import type { Files, TestVault } from '../temporary-vault.ts';
import { echoingMcp } from './http-vault.ts';

const secret = 'the-secret-of-the-owner';

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

type Running = RunningServer &
  TestVault & {
    log: object[];
    send: (path: string, init?: Init) => Promise<Response>;
  };

async function running(files: Files = {}, options: Partial<ServerOptions> = {}): Promise<Running> {
  const vault = await temporaryVault(files);
  const log: object[] = [];
  const server = await startServer({
    keepsake: vault.keepsake,
    vaultName: 'notes',
    port: 0,
    secret,
    mcp: echoingMcp,
    log: (entry) => void log.push(entry),
    model: () => ({ missing: otherReason('none') }),
    environment: readEnvironment({}),
    ...options,
  });
  onTestFinished(() => server.close());
  const send = (path: string, init: Init = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, ...init.headers },
    });
  return { ...vault, ...server, log, send };
}

/** Sends raw HTTP and returns the response, up to its end or to the given text. */
async function raw(url: string, text: string, until = /$^/): Promise<{ socket: Socket; received: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (until.test(received)) resolve();
    });
  });
  return { socket, received };
}

const statusLine = /^HTTP.*\r\n/;

describe('running server', () => {
  it.each(['a.md', 'z.md'])('breaks an archive off if %s cannot be read', async (broken) => {
    const server = await running({ 'a.md': 'text\n', 'z.md': 'text\n' });
    const readFile = server.keepsake.readFile.bind(server.keepsake);
    vi.spyOn(server.keepsake, 'readFile').mockImplementation((path) =>
      path.endsWith(broken) ? Promise.reject(new Error('words of a file')) : readFile(path),
    );
    const reported = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => reported.mockRestore());
    const { received } = await raw(
      server.url,
      `GET /api/vaults/notes/export HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
    );
    // Neither a length nor the last chunk: the client knows that something is missing.
    expect(received).not.toMatch(/^content-length:/im);
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(received).not.toContain('words of a file');
    // The server goes on.
    expect((await server.send('/api/vaults/notes/tree')).status).toBe(200);
  });

  it('responds on a local port and signs a browser in with a login link', async () => {
    const server = await running({ 'a.md': 'text\n' });
    const { url, send } = server;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: 'ok' });
    const file = await send('/api/vaults/notes/files/a.md');
    expect(await file.text()).toBe('text\n');
    expect(file.headers.get('content-length')).toBe('5');
    const opened = await fetch(server.createLoginLink(), { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await fetch(`${url}/api/vaults/notes/inbox`, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(`${url}/api/vaults/notes/inbox`)).status).toBe(401);
    const mcp = await send('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await mcp.json()).toMatchObject({ scope: 'write', body: '{}' });
  });

  it('rejects requests with another host name or origin', async () => {
    const { url } = await running();
    const { port } = new URL(url);
    const ask = async (headers: string, target = '/api/health') =>
      (await raw(url, `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).received;
    for (const name of ['evil.example', `127.0.0.1.evil.example:${port}`, `0.0.0.0:${port}`, '127.0.0.1'])
      expect(await ask(`Host: ${name}\r\n`)).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"wrong-host"/);
    expect(await ask(`Host: 127.0.0.1:${port}\r\nOrigin: null\r\n`)).toMatch(
      /^HTTP\/1\.1 403 [\s\S]*wrong-origin/,
    );
    expect(await ask(`Host: 127.0.0.1:${port}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    // Invalid HTTP and requests without a Host get no problem document.
    expect(await ask('')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await ask('Host: a b\r\n')).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await ask(`Host: 127.0.0.1:${port}\r\nHost: evil.example\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(await ask(`Host: evil.example\r\nHost: 127.0.0.1:${port}\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(await ask('Host: evil.example\r\n', `http://127.0.0.1:${port}/api/health`)).toMatch(
      /^HTTP\/1\.1 403 /,
    );
  });

  it('stops reading a body that is too large', async () => {
    const { url } = await running();
    const { host } = new URL(url);
    const head = `POST /api/vaults/notes/search HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}x\r\nContent-Type: application/json\r\n`;
    const claimed = await raw(
      url,
      `${head.replace('x\r\nContent', '\r\nContent')}Content-Length: 999999999\r\n\r\n{`,
      statusLine,
    );
    expect(claimed.received).toMatch(/^HTTP\/1\.1 413 /);
    const stranger = await raw(url, `${head}Content-Length: 999999999\r\n\r\n{`, statusLine);
    expect(stranger.received).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('accepts a chunked request body', async () => {
    const { send } = await running({ 'a.md': 'text\n' });
    const pieces = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const piece of ['{"input":', '{"paths"', ':"a.md"}}']) {
          controller.enqueue(Buffer.from(piece));
          await sleep(20);
        }
        controller.close();
      },
    });
    const response = await send('/api/vaults/notes/tools/read', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: pieces,
      duplex: 'half',
    });
    expect(await response.json()).toMatchObject({ result: { text: expect.stringContaining('1  | text') } });
  });

  it('accepts a request without a body where none is needed', async () => {
    const { send, keepsake, url } = await running({ 'a.md': 'text\n' });
    const { host } = new URL(url);
    await keepsake.agents.updates.accept({ text: 'x', files: [], source: { kind: 'person', name: 'test' } });
    const [update] = keepsake.agents.updates.list({ limit: 1 });
    const cancelled = await send(`/api/vaults/notes/updates/${update?.id}`, { method: 'DELETE' });
    expect(cancelled.status).toBe(200);
    // Like curl -X POST: neither Content-Length nor Content-Type.
    const { received } = await raw(
      url,
      `POST /api/vaults/notes/updates/${update?.id}/retry HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('event stream over a socket', () => {
  const follow = (url: string): string =>
    `GET /api/vaults/notes/events HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${secret}\r\n\r\n`;

  it('does not buffer events for a client that stops reading', async () => {
    const { url, keepsake } = await running();
    const { socket } = await raw(url, follow(url), /: connected/);
    socket.pause();
    const used = () => {
      globalThis.gc?.();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const paths = ['x'.repeat(50_000)];
    for (let number = 0; number < 200; number += 1) keepsake.events.emit({ type: 'file-changed', paths });
    await sleep(100);
    const before = used();
    for (let round = 0; round < 40; round += 1) {
      for (let number = 0; number < 100; number += 1) keepsake.events.emit({ type: 'file-changed', paths });
      await sleep(5);
    }
    // 200 MB were sent; only the latest 4 MB and the buffer of the socket are in memory.
    expect((used() - before) / 1_000_000).toBeLessThan(100);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.resume();
    await expect.poll(() => received, { timeout: 30_000 }).toContain('event: reset');
  });

  it('is released when the client disconnects', async () => {
    const { url, keepsake, send } = await running({}, { limits: { maxStreams: 5 } });
    for (let round = 0; round < 4; round += 1) {
      const sockets = await Promise.all(
        Array.from({ length: 5 }, () => raw(url, follow(url), /: connected/)),
      );
      for (const { received } of sockets) expect(received).toContain(': connected');
      for (const { socket } of sockets) socket.destroy();
      keepsake.events.emit({ type: 'file-changed', paths: ['a'] });
      await expect
        .poll(async () => (await send('/api/vaults/notes/events', { method: 'HEAD' })).status)
        .toBe(200);
    }
  });
});

describe('closing the server', () => {
  /** Stops the timers of the deadline, but not the sockets. */
  const stopTime = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it('ends streams immediately and lets requests finish', async () => {
    const [begun, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const listening = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(': hello\n\n')),
    });
    const server = await running(
      {},
      {
        mcp: {
          async fetch(request) {
            if (request.method === 'GET')
              return new Response(listening, { headers: { 'content-type': 'text/event-stream' } });
            begun.resolve();
            await waiting.promise;
            return Response.json({ finished: true });
          },
        },
      },
    );
    const events = await server.send('/api/vaults/notes/events');
    const messages = await server.send('/mcp');
    const slow = server.send('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await begun.promise;
    // With stopped timers, the deadline cannot cause any of the following.
    stopTime();
    const closed = server.close();
    expect(await events.text()).toContain(': connected');
    expect(await messages.text()).toBe(': hello\n\n');
    await expect(fetch(`${server.url}/api/health`)).rejects.toThrow('fetch failed');
    waiting.resolve();
    expect(await (await slow).json()).toEqual({ finished: true });
    await closed;
    await server.close();
  });

  it('waits at most five seconds', async () => {
    const begun = Promise.withResolvers<void>();
    const hang = (): Promise<Response> => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    const server = await running({}, { mcp: { fetch: hang } });
    const stuck = server.send('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const ended = stuck.then(
      () => 'answered',
      () => 'cut',
    );
    await begun.promise;
    stopTime();
    const closed = server.close();
    vi.advanceTimersByTime(4_999);
    expect(await Promise.race([ended, sleep(200, 'waits')])).toBe('waits');
    vi.advanceTimersByTime(1);
    expect(await ended).toBe('cut');
    await closed;
  });
});

describe('server start', () => {
  const start = async (options: Partial<ServerOptions>): Promise<unknown> =>
    running({}, options).then(
      () => null,
      (error: unknown) => error,
    );

  it('fails without a token if other machines can reach the server', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org', '']) {
      const error = await start({ host });
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({
        code: 'no-token',
        message: expect.stringContaining('no token exists'),
        hint: expect.stringContaining('keepsake token create'),
      });
    }
  });

  it('succeeds with a token if other machines can reach the server', async () => {
    const vault = await temporaryVault();
    const { secret: token } = openTokens(vault.keepsake)().create('phone', 'read');
    const { url } = await running({}, { keepsake: vault.keepsake, host: '0.0.0.0' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/vaults/notes/inbox`, { headers })).status).toBe(200);
  });

  it('fails if the port is in use or the address is invalid', async () => {
    const { url } = await running();
    expect(await start({ port: Number(new URL(url).port) })).toMatchObject({ code: 'port-in-use' });
    expect(await start({ host: '127.9.9.999' })).toMatchObject({ code: 'bad-address' });
  });
});
