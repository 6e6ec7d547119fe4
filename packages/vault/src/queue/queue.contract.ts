import { describe, expect, it } from 'vitest';
import type { UpdateQueue } from './index.ts';
import { otherReason } from '../contract/index.ts';

/** A queue with a clock that only moves when it is told to; `reopen` is what a restart, or another process, sees. */
export type QueueUnderTest = {
  queue: UpdateQueue;
  reopen: () => UpdateQueue;
  advance: (milliseconds: number) => void;
  timing: { lease: number; backoff: number; attempts: number };
};

/** What every driver of the queue has to hold. */
export function queueContract(name: string, setUp: () => Promise<QueueUnderTest>): void {
  describe(`${name}: accepting`, () => {
    it('keeps what was accepted, in order, for whoever opens it next', async () => {
      const { queue, reopen } = await setUp();
      const ids: string[] = [];
      for (const input of ['a', 'b', 'c']) ids.push((await queue.accept({ input })).id);
      const seen = reopen().list({ limit: 10 });
      expect(seen.map(({ id }) => id)).toEqual(ids.toReversed());
      expect(seen.map(({ state, attempts }) => [state, attempts])).toEqual([
        ['waiting', 0],
        ['waiting', 0],
        ['waiting', 0],
      ]);
      expect(seen[0]?.input).toEqual({ input: 'c' });
    });

    it('takes the same key for the same update, whatever comes with it', async () => {
      const { queue, reopen } = await setUp();
      const first = await queue.accept('text', { key: 'key-1' });
      expect(await queue.accept('text', { key: 'key-1' })).toEqual({ id: first.id, isNew: false });
      expect(await reopen().accept('other', { key: 'key-1' })).toEqual({ id: first.id, isNew: false });
      expect((await queue.accept('text')).isNew).toBe(true);
      expect(queue.list({ limit: 10 })).toHaveLength(2);
    });

    it('finds an update by the beginning of its id, when no other begins so', async () => {
      const { queue } = await setUp();
      const beginnings = new Set<string>();
      const accept = async (): Promise<string> => (await queue.accept('text')).id;
      const first = await accept();
      expect(queue.find(first)?.id).toBe(first);
      expect(queue.find(first.slice(0, 8))?.id).toBe(first);
      expect(queue.find(first.slice(0, 8).toUpperCase())?.id).toBe(first);
      expect(queue.find(`${first}0`)).toBeUndefined();
      for (const pattern of ['', '%', '%%%%', '____']) expect(queue.find(pattern)).toBeUndefined();
      let id = first;
      for (; !beginnings.has(id.slice(0, 4)); id = await accept()) beginnings.add(id.slice(0, 4));
      expect(queue.find(id.slice(0, 4))).toBeUndefined();
      expect(queue.find(id)?.id).toBe(id);
    });
  });

  describe(`${name}: files`, () => {
    // Longer than what is stored at once, and not a multiple of it.
    const long = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => (index * 31) % 251));
    const files = [
      { name: 'minutes.pdf', bytes: long },
      { name: 'empty.md', bytes: Buffer.alloc(0) },
      { name: 'minutes.md', bytes: Buffer.from('# Minutes\n') },
    ];
    const described = files.map(({ name: file, bytes }) => ({ name: file, bytes: bytes.length }));
    const finish = (queue: UpdateQueue): void => {
      const claim = queue.claim();
      expect(claim && queue.complete(claim, 'filed')).toBe(true);
    };

    it('are there byte for byte for the process that works on the update', async () => {
      const { queue, reopen } = await setUp();
      await queue.accept('text', { files });
      const other = reopen();
      const claim = other.claim();
      expect(claim?.update).toMatchObject({ input: 'text', files: described });
      const read = claim === null ? [] : await other.readFiles(claim.update);
      expect(read.map(({ name: file }) => file)).toEqual(files.map(({ name: file }) => file));
      for (const [index, { bytes }] of files.entries())
        expect(Buffer.compare(bytes, read[index]?.bytes ?? Buffer.from('none'))).toBe(0);
    });

    it('are told by name and size, also when the update is done and they are removed', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept('text', { files, key: 'key-1' });
      expect(queue.find(id)?.files).toEqual(described);
      expect(queue.list({ limit: 1 })[0]?.files).toEqual(described);
      finish(queue);
      await queue.removeUnusedFiles();
      const done = queue.find(id);
      expect(done).toMatchObject({ state: 'done', files: described });
      await expect(done && queue.readFiles(done)).rejects.toThrow('minutes.pdf');
      expect(await queue.accept('text', { files, key: 'key-1' })).toEqual({ id, isNew: false });
    });

    it('are kept while the update can be worked on or retried', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept('text', { files });
      const isThere = async (): Promise<void> => {
        await queue.removeUnusedFiles();
        const update = queue.find(id);
        const read = update && (await queue.readFiles(update));
        expect(read?.map(({ bytes }) => bytes.length)).toEqual(described.map(({ bytes }) => bytes));
      };
      await isThere();
      const claim = queue.claim();
      await isThere();
      if (claim) queue.fail(claim, otherReason('the key is wrong'), 'never');
      await isThere();
      expect(await queue.cancel(id)).toBe(true);
      await isThere();
      expect(await queue.retry(id)).toBe(true);
      await isThere();
    });

    it('of two updates at the same time, and of the same key twice, do not mix', async () => {
      const { queue } = await setUp();
      const [a, b, again] = await Promise.all([
        queue.accept('a', { files, key: 'a' }),
        queue.accept('b', { files: [{ name: 'b.md', bytes: Buffer.from('b') }] }),
        queue.accept('a', { files, key: 'a' }),
      ]);
      expect(new Set([a.id, b.id, again.id]).size).toBe(2);
      const [updateA, updateB] = [queue.find(a.id), queue.find(b.id)];
      const read = [...((updateA && (await queue.readFiles(updateA))) ?? [])];
      expect(read.map(({ bytes }) => bytes.length)).toEqual(described.map(({ bytes }) => bytes));
      expect(updateB && String((await queue.readFiles(updateB))[0]?.bytes)).toBe('b');
    });
  });

  describe(`${name}: notifying`, () => {
    it('tells of every change of state, until it is asked to stop', async () => {
      const { queue } = await setUp();
      let told = 0;
      const stop = queue.onChange(() => void (told += 1));
      const tells = async (change: () => unknown): Promise<number> => {
        const before = told;
        await change();
        return told - before;
      };
      const claimThen = (then: 'release' | 'complete' | 'fail') => {
        const claim = queue.claim();
        if (claim === null) throw new Error('nothing waits');
        if (then === 'release') return queue.release(claim);
        return then === 'complete' ? queue.complete(claim, 1) : queue.fail(claim, otherReason('no'), 'never');
      };
      let id = '';
      expect(await tells(async () => ({ id } = await queue.accept(1, { key: 'key' })))).toBe(1);
      expect(await tells(() => claimThen('release'))).toBe(2);
      expect(await tells(() => claimThen('fail'))).toBe(2);
      expect(await tells(() => queue.retry(id))).toBe(1);
      expect(await tells(() => queue.cancel(id))).toBe(1);
      await queue.retry(id);
      expect(await tells(() => claimThen('complete'))).toBe(2);
      // Nothing changes.
      expect(await tells(() => queue.accept(1, { key: 'key' }))).toBe(0);
      expect(await tells(() => queue.cancel(id))).toBe(0);
      expect(await tells(() => queue.retry(id))).toBe(0);
      expect(await tells(() => queue.claim())).toBe(0);
      stop();
      expect(await tells(() => queue.accept(2))).toBe(0);
    });
  });

  describe(`${name}: order and exclusivity`, () => {
    it('gives the oldest, and nothing else while somebody works on it', async () => {
      const { queue, reopen } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      const claim = queue.claim();
      expect(claim?.update.id).toBe(first);
      expect(queue.claim()).toBeNull();
      expect(reopen().claim()).toBeNull();
      expect(claim && queue.complete(claim, 'result')).toBe(true);
      expect(queue.find(first)).toMatchObject({ state: 'done', result: 'result', reason: null });
      expect(queue.claim()?.update.id).toBe(second);
    });

    it('keeps the order while the oldest waits for its next attempt', async () => {
      const { queue, advance, timing } = await setUp();
      const first = (await queue.accept(1)).id;
      await queue.accept(2);
      const claim = queue.claim();
      expect(claim && queue.fail(claim, otherReason('no answer'))).toBe(true);
      expect(queue.claim()).toBeNull();
      expect(queue.find(first)).toMatchObject({
        state: 'waiting',
        reason: otherReason('no answer'),
        attempts: 1,
      });
      advance(timing.backoff);
      expect(queue.claim()?.update).toMatchObject({ id: first, attempts: 2 });
    });

    it('gives what a dead worker left to the next who asks, and to no two of them', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const dead = queue.claim();
      advance(timing.lease - 1);
      expect(reopen().claim()).toBeNull();
      advance(1);
      const other = reopen();
      expect(other.claim()?.update).toMatchObject({ id, attempts: 2 });
      expect(queue.claim()).toBeNull();
      expect(dead && queue.complete(dead, 'too late')).toBe(false);
      expect(dead && queue.fail(dead, otherReason('too late'))).toBe(false);
      expect(dead && queue.renew(dead)).toBe(false);
      expect(dead && queue.release(dead)).toBe(false);
    });

    it('gives it under the same id, so that effects bound to the id happen once', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const committed = new Map<string, string>();
      // As the journal does it: what is there under an id is not made again.
      const commit = (by: string, update: string): string => {
        if (!committed.has(update)) committed.set(update, by);
        return committed.get(update) ?? '';
      };
      const dead = queue.claim();
      commit('the first', dead?.update.id ?? '');
      advance(timing.lease);
      const other = reopen();
      const claim = other.claim();
      const result = commit('the second', claim?.update.id ?? '');
      expect(claim && other.complete(claim, result)).toBe(true);
      expect(dead && queue.complete(dead, 'too late')).toBe(false);
      expect([...committed]).toEqual([[id, 'the first']]);
      expect(queue.find(id)).toMatchObject({ state: 'done', attempts: 2, result: 'the first' });
    });

    it('leaves a worker alone that gives signs of life', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      await queue.accept(1);
      const claim = queue.claim();
      for (let round = 0; round < 5; round += 1) {
        advance(timing.lease - 1);
        expect(claim && queue.renew(claim)).toBe(true);
        expect(reopen().claim()).toBeNull();
      }
    });
  });

  describe(`${name}: failing`, () => {
    it('parks an update after its last attempt, and goes on with the next', async () => {
      const { queue, advance, timing } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      for (let attempt = 1; attempt <= timing.attempts; attempt += 1) {
        const claim = queue.claim();
        expect(claim?.update).toMatchObject({ id: first, attempts: attempt });
        if (claim) queue.fail(claim, otherReason(`reason ${attempt}`));
        advance(timing.backoff * 4 ** attempt);
      }
      expect(queue.find(first)).toMatchObject({
        state: 'parked',
        reason: otherReason(`reason ${timing.attempts}`),
      });
      expect(queue.claim()?.update.id).toBe(second);
    });

    it('parks an update at once when trying again is of no use', async () => {
      const { queue } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      const claim = queue.claim();
      expect(claim && queue.fail(claim, otherReason('the key is wrong'), 'never')).toBe(true);
      expect(queue.find(first)).toMatchObject({
        state: 'parked',
        attempts: 1,
        reason: otherReason('the key is wrong'),
      });
      expect(queue.claim()?.update.id).toBe(second);
    });

    it('tries an update again at once when waiting is of no use', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      const claim = queue.claim();
      expect(claim && queue.fail(claim, otherReason('it only wrote prose'), 'at-once')).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 2 });
    });

    it('tells the next worker when all attempts of an update ended without a word', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      for (let attempt = 1; attempt <= timing.attempts; attempt += 1) {
        expect(reopen().claim()).toMatchObject({
          update: { id: first, attempts: attempt },
          isExhausted: false,
        });
        advance(timing.lease);
      }
      const last = queue.claim();
      expect(last).toMatchObject({ update: { id: first }, isExhausted: true });
      expect(last && queue.fail(last, otherReason('it ended every worker'), 'never')).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id: second, attempts: 1 });
      expect(await queue.retry(first)).toBe(true);
      expect(queue.find(first)).toMatchObject({ state: 'waiting', attempts: 0 });
    });

    it('gives a parked update its attempts back, and its place', async () => {
      const { queue, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let attempt = 1; attempt <= timing.attempts; attempt += 1) {
        const claim = queue.claim();
        if (claim) queue.fail(claim, otherReason('no'));
        advance(timing.backoff * 4 ** attempt);
      }
      await queue.accept(2);
      expect(await queue.retry(id)).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 1 });
      expect(await queue.retry(id)).toBe(false);
    });

    it('does not count an attempt that was given back', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      for (let round = 0; round < 10; round += 1) {
        const claim = queue.claim();
        expect(claim?.update.attempts).toBe(1);
        if (claim) queue.release(claim);
      }
      expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    });
  });

  describe(`${name}: progress`, () => {
    const saved = Buffer.from('half of it');

    it('is there for the next attempt, which counts as the first, until the update is done', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let attempt = 1; attempt < timing.attempts; attempt += 1) {
        queue.claim();
        advance(timing.lease);
      }
      const claim = queue.claim();
      expect(claim).toMatchObject({
        update: { attempts: timing.attempts },
        isLast: true,
        isExhausted: false,
      });
      expect(claim && queue.saveProgress(claim, saved)).toBe(true);
      advance(timing.lease);
      const other = reopen();
      expect(Buffer.from(other.progress(id) ?? [])).toEqual(saved);
      const next = other.claim();
      expect(next).toMatchObject({ update: { attempts: 2 }, isLast: false, isExhausted: false });
      expect(next && other.complete(next, 'all')).toBe(true);
      expect(queue.progress(id)).toBeNull();
    });

    it('is kept when the update is parked and retried, and forgotten when it is cancelled', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      const claim = queue.claim();
      if (claim) queue.saveProgress(claim, saved);
      if (claim) queue.fail(claim, otherReason('the money is spent'), 'never');
      expect(await queue.retry(id)).toBe(true);
      expect(queue.progress(id)).not.toBeNull();
      expect(await queue.cancel(id)).toBe(true);
      expect(queue.progress(id)).toBeNull();
    });

    it('of a worker that has lost its claim is not saved', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const dead = queue.claim();
      advance(timing.lease);
      reopen().claim();
      expect(dead && queue.saveProgress(dead, saved)).toBe(false);
      expect(queue.progress(id)).toBeNull();
    });
  });

  describe(`${name}: cancelling`, () => {
    it('takes out what waits, and not what runs or is over', async () => {
      const { queue } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      const claim = queue.claim();
      expect(await queue.cancel(first)).toBe(false);
      expect(await queue.cancel(second)).toBe(true);
      if (claim) queue.complete(claim, null);
      expect(await queue.cancel(first)).toBe(false);
      expect(queue.claim()).toBeNull();
      expect(queue.list({ state: 'cancelled', limit: 10 }).map(({ id }) => id)).toEqual([second]);
      expect(queue.counts()).toEqual({ waiting: 0, running: 0, done: 1, parked: 0, cancelled: 1 });
    });
  });

  describe(`${name}: a clock that was wrong`, () => {
    const aYear = 365 * 24 * 3_600_000;

    it('a year ahead when an attempt failed stops nothing once it is set right', async () => {
      const { queue, advance } = await setUp();
      const { id } = await queue.accept(1);
      advance(aYear);
      const claim = queue.claim();
      if (claim) queue.fail(claim, otherReason('no answer'));
      expect(queue.claim()).toBeNull();
      advance(-aYear);
      expect(queue.next()?.at).toBeLessThan(aYear);
      expect(queue.find(id)?.nextAttemptAt).toBeLessThan(aYear);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 2 });
    });

    it('a year ahead when a worker died does not keep its update for a year', async () => {
      const { queue, reopen, advance } = await setUp();
      const { id } = await queue.accept(1);
      advance(aYear);
      const dead = queue.claim();
      advance(-aYear);
      expect(reopen().claim()?.update).toMatchObject({ id, attempts: 2 });
      expect(dead && queue.renew(dead)).toBe(false);
    });

    it('set back or ahead under a worker that lives leaves the update with it, once it has given a sign', async () => {
      const { queue, reopen, advance } = await setUp();
      await queue.accept(1);
      const claim = queue.claim();
      for (const jump of [aYear, -2 * aYear, aYear]) {
        advance(jump);
        expect(claim && queue.renew(claim)).toBe(true);
        expect(reopen().claim()).toBeNull();
      }
      expect(claim && queue.complete(claim, null)).toBe(true);
    });
  });

  describe(`${name}: telling when to look again`, () => {
    it('is at once, later, or never', async () => {
      const { queue, timing } = await setUp();
      expect(queue.next()).toBeNull();
      const { id } = await queue.accept(1);
      await queue.accept(2);
      const mostAttempts = timing.attempts;
      expect(queue.next()).toEqual({ id, state: 'waiting', attempts: 0, reason: null, mostAttempts, at: 0 });
      expect(queue.find(id)?.nextAttemptAt).toBeNull();
      const claim = queue.claim();
      expect(queue.next()).toMatchObject({ id, state: 'running', attempts: 1 });
      expect(queue.next()?.at).toBeGreaterThanOrEqual(timing.lease);
      if (claim) queue.fail(claim, otherReason('no'));
      const next = queue.next();
      expect(next).toMatchObject({ id, state: 'waiting', attempts: 1, reason: otherReason('no') });
      expect(next?.at).toBeGreaterThanOrEqual(timing.backoff);
      expect(queue.find(id)?.nextAttemptAt).toBe(next?.at);
    });
  });
}
