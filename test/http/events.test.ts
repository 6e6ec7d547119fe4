import { describe, expect, it } from 'vitest';
import { keepsakeEventSchema } from '../../packages/vault/src/contract/index.ts';
import { httpVault, readProblem } from './http-vault.ts';
import type { HttpVault, HttpVaultOptions } from './http-vault.ts';

type Message = { id?: string; event?: string; data?: string; comment?: string };

function messages(response: Response): { next(): Promise<Message | null>; cancel(): Promise<void> } {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          return Object.fromEntries(
            lines.map((line) => {
              const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
              return [name === '' ? 'comment' : name, value];
            }),
          );
        }
        const read = await reader?.read();
        if (read === undefined || read.done) return null;
        text += read.value;
      }
    },
    cancel: async () => reader?.cancel(),
  };
}

async function listen(vault: HttpVault, last?: string): Promise<ReturnType<typeof messages>> {
  const headers = last === undefined ? {} : { 'last-event-id': last };
  return messages(await vault.send('/events', { token: vault.reader, headers }));
}

const vaultWith = (limits: HttpVaultOptions['limits']) => httpVault({}, { limits });
const emit = ({ keepsake }: HttpVault, name: string): void =>
  keepsake.events.emit({ type: 'file-changed', paths: [name] });
const pathIn = (message: Message | null): string | undefined => {
  const event = keepsakeEventSchema.parse(JSON.parse(message?.data ?? ''));
  return event.type === 'file-changed' ? event.paths[0] : undefined;
};

describe('event stream', () => {
  it('sends events immediately, each with an id', async () => {
    const vault = await httpVault();
    const response = await vault.send('/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const stream = messages(response);
    expect(await stream.next()).toMatchObject({ comment: 'connected', event: 'connected', retry: '2000' });
    await vault.send('/files/a.md', {
      method: 'PUT',
      body: 'x',
      headers: { 'content-type': 'text/markdown', 'if-none-match': '*' },
    });
    const message = await stream.next();
    expect(message).toMatchObject({ event: 'file-changed', id: expect.stringMatching(/^[0-9a-f]{12}-1$/) });
    expect(pathIn(message)).toBe('vault/a.md');
    await vault.send('/updates', { json: { text: 'x' } });
    expect(await stream.next()).toMatchObject({ event: 'update-accepted' });
    await stream.cancel();
  });

  it('starts after the position that responses before it have, unless something happened in between', async () => {
    const vault = await httpVault();
    const position = async () => (await vault.send('/tree')).headers.get('x-event-id');
    const before = await position();
    const stream = await listen(vault);
    expect((await stream.next())?.id).toBe(before);
    emit(vault, 'a');
    const after = await position();
    expect((await stream.next())?.id).toBe(after);
    expect(after).not.toBe(before);
    expect((await vault.send('/search', { json: { queries: ['x'] } })).headers.get('x-event-id')).toBeNull();
    await stream.cancel();
  });

  it('resumes after the last event id', async () => {
    const vault = await httpVault();
    const first = await listen(vault);
    await first.next();
    for (const name of ['a', 'b', 'c']) emit(vault, name);
    const a = await first.next();
    await first.cancel();
    emit(vault, 'd');
    const second = await listen(vault, a?.id);
    expect(await second.next()).toMatchObject({ comment: 'connected', id: a?.id });
    expect([await second.next(), await second.next(), await second.next()].map(pathIn)).toEqual([
      'b',
      'c',
      'd',
    ]);
  });

  it('resumes for a client that disconnected before the first event', async () => {
    const vault = await httpVault();
    const first = await listen(vault);
    const connected = await first.next();
    await first.cancel();
    emit(vault, 'a');
    const second = await listen(vault, connected?.id);
    await second.next();
    expect(pathIn(await second.next())).toBe('a');
  });

  it('sends reset when events were dropped or the server restarted', async () => {
    const vault = await vaultWith({ maxBufferedEvents: 3 });
    const first = await listen(vault);
    const connected = await first.next();
    for (const name of ['a', 'b', 'c', 'd']) emit(vault, name);
    for (const last of [
      connected?.id ?? '',
      '000000000000-1',
      'nonsense',
      connected?.id?.replace(/\d+$/, '99') ?? '',
    ]) {
      const stream = await listen(vault, last);
      expect(await stream.next()).toMatchObject({
        event: 'reset',
        data: '{}',
        id: expect.stringMatching(/-4$/),
      });
      await stream.cancel();
    }
    // The connected but slow client has missed an event, too.
    expect(await first.next()).toMatchObject({ event: 'reset' });
    emit(vault, 'e');
    expect(pathIn(await first.next())).toBe('e');
  });

  it('limits the bytes of the replay buffer', async () => {
    const vault = await vaultWith({ maxBufferedEventBytes: 10_000 });
    const first = await listen(vault);
    const connected = await first.next();
    await first.cancel();
    for (let number = 0; number < 20; number += 1) emit(vault, 'x'.repeat(1_000));
    expect(await (await listen(vault, connected?.id)).next()).toMatchObject({ event: 'reset' });
  });

  it('sends heartbeats while idle', async () => {
    const vault = await vaultWith({ heartbeatIntervalMs: 20 });
    const stream = await listen(vault);
    await stream.next();
    expect(await stream.next()).toEqual({ comment: 'heartbeat' });
    emit(vault, 'a');
    expect(await stream.next()).toMatchObject({ event: 'file-changed' });
    expect(await stream.next()).toEqual({ comment: 'heartbeat' });
    await stream.cancel();
  });

  it('limits the number of concurrent streams', async () => {
    const vault = await vaultWith({ maxStreams: 2 });
    const [first] = [await listen(vault), await listen(vault)];
    const refused = await vault.send('/events', { token: vault.reader });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await readProblem(refused)).toMatchObject({ status: 429 });
    await first?.cancel();
    const stream = await listen(vault);
    expect(await stream.next()).toMatchObject({ comment: 'connected' });
    for (let time = 0; time < 5; time += 1) await vault.send('/events', { method: 'HEAD' });
  });

  it('closes the oldest stream of the client with the most streams to admit another client', async () => {
    const vault = await vaultWith({ maxStreams: 3 });
    const many = [await listen(vault), await listen(vault), await listen(vault)];
    for (const each of many) await each.next();
    const other = messages(await vault.send('/events', { token: vault.writer }));
    expect(await other.next()).toMatchObject({ comment: 'connected' });
    expect(await many[0]?.next()).toBeNull();
    emit(vault, 'a');
    for (const each of [many[1], many[2], other]) expect(pathIn((await each?.next()) ?? null)).toBe('a');
  });

  it('delivers events in order to a thousand clients', async () => {
    const vault = await httpVault();
    const streams: Awaited<ReturnType<typeof listen>>[] = [];
    while (streams.length < 1_000) streams.push(await listen(vault));
    for (const stream of streams) await stream.next();
    for (const name of ['a', 'b', 'c']) emit(vault, name);
    for (const stream of streams)
      expect([await stream.next(), await stream.next(), await stream.next()].map(pathIn)).toEqual([
        'a',
        'b',
        'c',
      ]);
    await Promise.all(streams.map((stream) => stream.cancel()));
  });
});
