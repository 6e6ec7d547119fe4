import { describe, expect, it } from 'vitest';
import { host, httpVault, readProblem, toUrl } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

const signInPath = '//api/sign-in/passkey';
/** A body whose first byte arrives, and the rest on demand. */
function slowBody(): { body: ReadableStream<Uint8Array>; finish: () => void } {
  const rest = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('{'));
      await rest.promise;
      controller.enqueue(Buffer.from('}'));
      controller.close();
    },
  });
  return { body, finish: rest.resolve };
}

type Anonymous = { path?: string; body?: RequestInit['body']; address?: string };

/** Sends a request without credentials from an address. */
async function askAnonymously(
  { app }: HttpVault,
  { path = signInPath, body, address = '203.0.113.1' }: Anonymous = {},
): Promise<Response> {
  return app.request(
    toUrl(path),
    {
      headers: { host, 'content-type': 'application/json' },
      ...(body != null && { method: 'POST', body, duplex: 'half' }),
    },
    { incoming: { socket: { remoteAddress: address }, headers: {} } },
  );
}

describe('callers without credentials', () => {
  it('do not delay others of their address, or health, while their bodies are incomplete', async () => {
    const vault = await httpVault({}, { limits: { maxParallelRequests: 2, maxOpenRequests: 4 } });
    const slow = Array.from({ length: 3 }, slowBody);
    const requests = slow.map(({ body }) => askAnonymously(vault, { body }));
    await new Promise(setImmediate);
    // This vault has no remote sign-in, so a complete request is answered with 404.
    expect((await askAnonymously(vault, { body: '{}' })).status).toBe(404);
    expect((await askAnonymously(vault, { path: '//api/health' })).status).toBe(200);
    for (const { finish } of slow) finish();
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('send at most 64 kB', async () => {
    const vault = await httpVault();
    const json = (bytes: number): string => `{"x":"${'x'.repeat(bytes - 8)}"}`;
    expect((await askAnonymously(vault, { body: json(64_000) })).status).toBe(404);
    for (const body of [json(64_001), new Blob([json(64_001)]).stream()])
      expect(await readProblem(await askAnonymously(vault, { body }))).toMatchObject({ status: 413 });
  });

  it('send a complete body within the time limit', async () => {
    const vault = await httpVault({}, { limits: { anonymousBodyTimeoutMs: 20 } });
    const response = await askAnonymously(vault, { body: slowBody().body });
    expect(response.headers.get('connection')).toBe('close');
    expect(await readProblem(response)).toMatchObject({
      status: 400,
      detail: 'the request body did not arrive within 0.02 s',
    });
  });

  it('lose the oldest of too many incomplete bodies of their address, or of all', async () => {
    const limits = { maxPendingBodiesPerAddress: 2, maxPendingBodies: 4 };
    const vault = await httpVault({}, { limits });
    const start = (address: string) => {
      const { body, finish } = slowBody();
      return { response: askAnonymously(vault, { body, address }), finish };
    };
    const own = ['a', 'b', 'c'].map(() => start('203.0.113.1'));
    expect(await readProblem((await own[0]?.response)!)).toMatchObject({ status: 429 });
    const others = ['203.0.113.2', '203.0.113.3', '203.0.113.4'].map(start);
    expect(await readProblem((await own[1]?.response)!)).toMatchObject({ status: 429 });
    const left = [...own.slice(2), ...others];
    for (const { finish } of left) finish();
    for (const { response } of left) expect((await response).status).toBe(404);
  });

  it('have a rate limit per address, apart from health', async () => {
    const vault = await httpVault(
      {},
      { limits: { anonymousBurst: 2, anonymousRequestsPerSecond: 1 }, now: () => 0 },
    );
    for (let time = 0; time < 2; time += 1)
      expect((await askAnonymously(vault, { body: '{}' })).status).toBe(404);
    const refused = await askAnonymously(vault, { body: '{}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await askAnonymously(vault, { path: '//api/health' })).status).toBe(200);
    expect((await askAnonymously(vault, { body: '{}', address: '203.0.113.2' })).status).toBe(404);
    expect((await vault.send('/inbox')).status).toBe(200);
  });
});

describe('rate limit', () => {
  it('delays only the client that exceeds it', async () => {
    let now = 1_000_000;
    const vault = await httpVault({}, { limits: { burst: 3, requestsPerSecond: 0.5 }, now: () => now });
    const ask = (token = vault.writer) => vault.send('/inbox', { token });
    for (let time = 0; time < 3; time += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await readProblem(refused)).toMatchObject({ status: 429, code: 'too-many' });
    expect((await ask(vault.reader)).status).toBe(200);
    now += 2_000;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it('delays a client with too many concurrent requests', async () => {
    const vault = await httpVault({}, { limits: { maxOpenRequests: 2 } });
    vault.model.respond(() => new Promise(() => undefined));
    const stopping = new AbortController();
    const ask = async () =>
      vault.app.request('http://127.0.0.1:4100/api/vaults/notes/answers', {
        method: 'POST',
        signal: stopping.signal,
        headers: {
          host: '127.0.0.1:4100',
          authorization: `Bearer ${vault.writer}`,
          'content-type': 'application/json',
        },
        body: '{"question":"x"}',
      });
    const requests = [ask(), ask()];
    await expect.poll(() => vault.model.requests.length).toBe(2);
    const refused = await vault.send('/inbox');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await readProblem(refused)).toMatchObject({ status: 429 });
    stopping.abort();
    await Promise.all(requests);
    expect((await vault.send('/inbox')).status).toBe(200);
  });
});

describe('request body', () => {
  it('occupies no parallel slot of its client until it is complete', async () => {
    const vault = await httpVault({}, { limits: { maxParallelRequests: 1 } });
    const { body, finish } = slowBody();
    const slow = vault.send('/tools/read', { headers: { 'content-type': 'application/json' }, body });
    await new Promise(setImmediate);
    expect((await vault.send('/inbox')).status).toBe(200);
    finish();
    expect((await slow).status).toBe(422);
  });

  it('counts against a size limit shared by all clients', async () => {
    const vault = await httpVault({}, { limits: { maxBufferedBytes: 1_000 } });
    const slow = Promise.withResolvers<void>();
    const held = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(`{"text":"${'x'.repeat(800)}`));
        await slow.promise;
        controller.enqueue(Buffer.from('"}'));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const first = vault.send('/updates', { headers, body: held });
    await new Promise(setImmediate);
    const second = await vault.send('/updates', { json: { text: 'y'.repeat(300) } });
    expect(await readProblem(second)).toMatchObject({ status: 429 });
    slow.resolve();
    expect((await first).status).toBe(202);
    expect((await vault.send('/updates', { json: { text: 'y'.repeat(300) } })).status).toBe(202);
  });

  it('has a higher size limit if it is sent with the secret of the owner process', async () => {
    const vault = await httpVault();
    const json = { input: { path: 'large.md', content: 'x\n'.repeat(1_100_000) } };
    expect(await readProblem(await vault.send('/tools/write', { json }))).toMatchObject({ status: 413 });
    expect((await vault.send('/tools/write', { json, token: vault.owner })).status).toBe(200);
  });

  it('is rejected with status 400 when truncated, without logging a server error', async () => {
    const vault = await httpVault();
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const response = await vault.send('/updates', {
      headers: { 'content-type': 'application/json' },
      body: broken,
    });
    expect(await readProblem(response)).toMatchObject({ status: 400, code: 'bad-request' });
    expect(vault.log.filter(({ event }) => event === 'error')).toEqual([]);
  });
});

describe('internal error', () => {
  it('is logged with the request id and not exposed to the client', async () => {
    const vault = await httpVault();
    vault.keepsake.restricted.inbox = async () => {
      throw new Error('the secret path /home/user');
    };
    const response = await vault.send('/inbox');
    const id = response.headers.get('x-request-id');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'internal', requestId: id });
    expect(text).not.toContain('secret path');
    expect(vault.log.find(({ event }) => event === 'error')).toMatchObject({
      id,
      error: 'Error: the secret path /home/user',
    });
  });
});

describe('request log', () => {
  it('has one line per request, with its route, and without its path and query', async () => {
    const vault = await httpVault({ 'secret.md': 'x' });
    const requests: [path: string, route: string | null, status: number, send?: Send][] = [
      ['/tree?path=secret.md', '/api/vaults/{vault}/tree', 200],
      ['/files/secret.md', '/api/vaults/{vault}/files/{path}', 200, { method: 'HEAD' }],
      ['/inbox', '/api/vaults/{vault}/inbox', 401, { token: 'wrong' }],
      ['/inbox/secret', null, 404],
      ['/calendar.ics?token=secret', '/api/vaults/{vault}/calendar.ics', 401, { token: null }],
      ['//consent/secret', null, 404],
      ['//s/secret/', null, 410],
      ['////s/secret/', null, 401, { token: null }],
      ['//%73/secret', null, 401, { token: null }],
      ['//web/s/secret', null, 401, { token: null }],
    ];
    for (const [path, , , send] of requests) await vault.send(path, send);
    expect(vault.log).toMatchObject(
      requests.map(([, route, status, send]) => ({ method: send?.method ?? 'GET', route, status })),
    );
    expect(vault.log[0]).toMatchObject({ event: 'request', ms: expect.any(Number), caller: 'token' });
    expect(JSON.stringify(vault.log)).not.toContain('secret');
  });
});
