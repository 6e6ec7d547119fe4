import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createAwake } from './awake.ts';

class Answer extends EventEmitter {
  destroyed = false;
  headersSent = false;
  sent(): void {
    this.headersSent = true;
    this.destroyed = true;
    this.emit('close');
  }
}

function sleepers({ idleAfter = 0 }: { idleAfter?: number } = {}) {
  const told: string[] = [];
  const busy = new Set<string>();
  const awake = createAwake<{ name: string }, string>({
    async open(name) {
      told.push(`open ${name}`);
      if (name === 'broken') throw new Error('it cannot be opened');
      return name === 'other' ? { elsewhere: 'there' } : { here: { name } };
    },
    putToSleep: async ({ name }) => void told.push(`sleep ${name}`),
    close: async ({ name }) => void told.push(`close ${name}`),
    isBusy: ({ name }) => busy.has(name),
    idleAfter,
    onError: (error) => void told.push(String(error)),
  });
  return { awake, told, busy };
}

it('opens once for all who ask, and sleeps only when the last answer is sent to its end', async () => {
  const { awake, told } = sleepers();
  const [one, two] = [new Answer(), new Answer()];
  const found = await Promise.all([awake.hold('a', one), awake.hold('a', two)]);
  expect([found, told]).toEqual([[{ here: { name: 'a' } }, { here: { name: 'a' } }], ['open a']]);
  await awake.sleep();
  one.sent();
  two.headersSent = true;
  await awake.sleep();
  expect([told, awake.names()]).toEqual([['open a'], ['a']]);
  two.sent();
  await awake.sleep();
  expect([told, awake.names()]).toEqual([['open a', 'sleep a'], []]);
});

it('stays awake while it has something to do, and for as long as it was asked for', async () => {
  const { awake, told, busy } = sleepers();
  busy.add('a');
  const answer = new Answer();
  await awake.hold('a', answer);
  answer.sent();
  await awake.sleep();
  expect(told).toEqual(['open a']);
  busy.clear();
  await awake.sleep();
  expect(told).toEqual(['open a', 'sleep a']);

  const patient = sleepers({ idleAfter: 1_000_000 });
  const another = new Answer();
  await patient.awake.hold('a', another);
  another.sent();
  await patient.awake.sleep();
  expect(patient.told).toEqual(['open a']);
});

it('is opened again only after it was closed', async () => {
  const { awake, told } = sleepers();
  const closing = Promise.withResolvers<void>();
  await awake.hold('a', new Answer());
  awake.leave('a', async () => {
    await closing.promise;
    told.push('left a');
  });
  const again = awake.hold('a', new Answer());
  closing.resolve();
  expect(await again).toEqual({ here: { name: 'a' } });
  expect(told).toEqual(['open a', 'left a', 'open a']);
});

it('keeps nothing of what is elsewhere or cannot be opened', async () => {
  const { awake } = sleepers();
  expect(await awake.hold('other', new Answer())).toEqual({ elsewhere: 'there' });
  await expect(awake.hold('broken', new Answer())).rejects.toThrow('it cannot be opened');
  expect(awake.names()).toEqual([]);
});

it('closes at the end when everybody is answered, and does not wait for those who only listen', async () => {
  const { awake, told } = sleepers();
  const [asking, listening] = [new Answer(), new Answer()];
  await awake.hold('a', asking);
  await awake.hold('a', listening);
  listening.headersSent = true;
  const closed = awake.close();
  await vi.waitUntil(() => awake.names().length === 0, { timeout: 60_000 });
  expect(told).toEqual(['open a']);
  asking.sent();
  await closed;
  expect(told).toEqual(['open a', 'close a']);
});
