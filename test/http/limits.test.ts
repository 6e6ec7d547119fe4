import { describe, expect, it } from 'vitest';
import { httpVault, readProblem } from './http-vault.ts';

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
  it('has one line per request, without the query', async () => {
    const vault = await httpVault({ 'a.md': 'x' });
    await vault.send('/tree?path=a.md');
    await vault.send('/inbox', { token: 'wrong' });
    expect(vault.log).toMatchObject([
      { event: 'request', method: 'GET', path: '/api/vaults/notes/tree', status: 200, caller: 'token' },
      { event: 'request', method: 'GET', path: '/api/vaults/notes/inbox', status: 401, caller: null },
    ]);
    expect(vault.log[0]?.['ms']).toEqual(expect.any(Number));
  });
});
