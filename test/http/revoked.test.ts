import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openTokens } from '../../packages/vault/src/server/index.ts';
import { toUrl, host, httpVault, origin, readProblem } from './http-vault.ts';
import type { HttpVault, HttpVaultOptions } from './http-vault.ts';

const limits = { revalidateIntervalMs: 10 };

/** Revokes a token as another process does, in the shared database. */
function revoke({ keepsake }: HttpVault, name: string): void {
  const tokens = openTokens(keepsake)();
  const token = tokens.list().find((each) => each.name === name);
  expect(tokens.revoke(token?.id ?? '')).toBe(true);
}

async function cookieMadeWith(vault: HttpVault, token: string): Promise<Record<string, string>> {
  const { url } = await vault.get<{ url: string }>('/links', { method: 'POST', token });
  const opened = await vault.send(`//open${new URL(url).search}`, { token: null });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'sec-fetch-site': 'same-origin', origin };
}

async function endOf(response: Response): Promise<string> {
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
  return text;
}

describe('revoking a token', () => {
  it('closes its event streams and no others', async () => {
    const vault = await httpVault({}, { limits });
    const [ownStream, others] = [
      await vault.send('/events', { token: vault.reader }),
      await vault.send('/events', { token: vault.writer }),
    ];
    revoke(vault, 'a read token');
    expect(await endOf(ownStream)).toContain('connected');
    vault.keepsake.events.emit({ type: 'file-changed', paths: ['vault/a.md'] });
    const reader = others.body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('vault/a.md')) received += (await reader.read()).value ?? 'ended: vault/a.md';
    expect(received).not.toContain('ended');
    await reader.cancel();
    expect(await readProblem(await vault.send('/tree', { token: vault.reader }))).toMatchObject({
      status: 401,
    });
  });

  it('closes its MCP streams', async () => {
    const mcp: HttpVaultOptions['mcp'] = {
      fetch: async () =>
        new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
    };
    const vault = await httpVault({}, { limits, mcp });
    const streams = [
      await vault.send('//mcp', { token: vault.reader }),
      await vault.send('//mcp', { token: vault.reader, json: {} }),
    ];
    revoke(vault, 'a read token');
    for (const stream of streams) expect(await endOf(stream)).toBe('');
  });

  it("closes the browser sessions that the token created and their streams, but not the user's", async () => {
    const vault = await httpVault({}, { limits });
    const [made, own] = [await cookieMadeWith(vault, vault.writer), await cookieMadeWith(vault, vault.owner)];
    // A link that such a session creates also depends on the token.
    const { url } = await vault.get<{ url: string }>('/links', {
      method: 'POST',
      token: null,
      headers: made,
    });
    const stream = await vault.send('/events', { token: null, headers: made });
    expect((await vault.send('/tree', { token: null, headers: made })).status).toBe(200);
    revoke(vault, 'a write token');
    expect(await endOf(stream)).toContain('connected');
    expect((await vault.send('/tree', { token: null, headers: made })).status).toBe(401);
    expect((await vault.send('/tree', { token: null, headers: own })).status).toBe(200);
    const late = await vault.send(`//open${new URL(url).search}`, { token: null });
    const cookie = late.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await vault.send('/tree', { token: null, headers: { ...made, cookie } })).status).toBe(401);
  });

  it('ends a running question with 401', async () => {
    const vault = await httpVault({ 'a.md': 'x\n' });
    vault.model.respond(() => {
      revoke(vault, 'a read token');
      return {
        text: 'It is so.\nThat is all.',
        calls: [{ tool: 'concat', input: { files: [{ path: 'a.md' }] } }],
      };
    });
    const answer = await vault.send('/answers', { token: vault.reader, json: { question: 'Is it so?' } });
    expect(await readProblem(answer)).toMatchObject({ status: 401 });
  });
});

describe('the expiry of a session', () => {
  it('closes its streams', async () => {
    let now = Date.now();
    const vault = await httpVault({}, { limits, now: () => now });
    const stream = await vault.send('/events', {
      token: null,
      headers: await cookieMadeWith(vault, vault.owner),
    });
    now += 8 * 24 * 60 * 60_000;
    expect(await endOf(stream)).toContain('connected');
  });
});

describe('a client', () => {
  it('is throttled without affecting others if it does not read its responses', async () => {
    const vault = await httpVault({ 'a.md': 'x\n' }, { limits: { maxUnreadBytes: 1_000 } });
    const ask = (token: string, outgoing: object) =>
      vault.app.request(
        toUrl('/files/a.md'),
        { headers: { host, authorization: `Bearer ${token}` } },
        { outgoing },
      );
    const unread = Object.assign(new EventEmitter(), { writableLength: 2_000, destroyed: false });
    const read = (): object => Object.assign(new EventEmitter(), { writableLength: 0, destroyed: false });
    expect((await ask(vault.reader, unread)).status).toBe(200);
    expect(await readProblem(await ask(vault.reader, read()))).toMatchObject({ code: 'too-many' });
    expect((await ask(vault.writer, read())).status).toBe(200);
    unread.emit('close');
    expect((await ask(vault.reader, read())).status).toBe(200);
  });

  it('does not use up the body limit of others if it uploads slowly', async () => {
    const vault = await httpVault(
      {},
      { limits: { maxBufferedBytesPerClient: 1_000, maxBufferedBytes: 5_000 } },
    );
    const slow = new TransformStream<Uint8Array, Uint8Array>();
    const writer = slow.writable.getWriter();
    const types = { 'content-type': 'application/json' };
    const sending = vault.send('/search', { token: vault.reader, body: slow.readable, headers: types });
    await writer.write(Buffer.from(`{"queries": ["${'x'.repeat(950)}`));
    const more = { json: { queries: ['y'.repeat(100)] } };
    expect(await readProblem(await vault.send('/search', { token: vault.reader, ...more }))).toMatchObject({
      code: 'too-many',
    });
    expect((await vault.send('/search', { token: vault.writer, ...more })).status).toBe(200);
    await writer.write(Buffer.from('"]}'));
    await writer.close();
    expect((await sending).status).toBe(200);
    expect((await vault.send('/search', { token: vault.reader, ...more })).status).toBe(200);
  });

  it('has a limit on concurrent questions', async () => {
    const vault = await httpVault({}, { limits: { maxQuestionsPerClient: 1 } });
    const waiting = Promise.withResolvers<void>();
    vault.model.respond(async () => {
      await waiting.promise;
      return { fault: 'status' as const, status: 400, body: '{}' };
    });
    const ask = (token: string) => vault.send('/answers', { token, json: { question: 'Is it so?' } });
    const first = ask(vault.reader);
    while (vault.events.length === 0) await new Promise(setImmediate);
    expect(await readProblem(await ask(vault.reader))).toMatchObject({ code: 'too-many' });
    const other = ask(vault.writer);
    waiting.resolve();
    for (const answer of [await first, await other]) expect(answer.status).toBe(502);
    expect((await ask(vault.reader)).status).toBe(502);
  });
});
