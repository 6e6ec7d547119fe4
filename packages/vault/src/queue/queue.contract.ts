import { describe, expect, it } from 'vitest';
import type { UpdateQueue } from './index.ts';
import { otherReason } from '../contract/index.ts';

/** A queue with a manual clock; `reopen` returns the queue as a restarted or another process sees it. */
export type QueueUnderTest = {
  queue: UpdateQueue;
  reopen: () => UpdateQueue;
  advance: (milliseconds: number) => void;
  timing: { leaseMs: number; backoffMs: number; maxAttempts: number; maxWaitMs: number };
};

/** The contract that every queue implementation must pass. */
export function queueContract(name: string, setUp: () => Promise<QueueUnderTest>): void {
  describe(`the ${name} queue with accepted updates`, () => {
    it('persists accepted updates in order across a reopen', async () => {
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

    it('returns the existing update for a repeated idempotency key, whatever the input', async () => {
      const { queue, reopen } = await setUp();
      const first = await queue.accept('text', { key: 'key-1' });
      expect(await queue.accept('text', { key: 'key-1' })).toEqual({ id: first.id, isNew: false });
      expect(await reopen().accept('other', { key: 'key-1' })).toEqual({ id: first.id, isNew: false });
      expect((await queue.accept('text')).isNew).toBe(true);
      expect(queue.findByKey('key-1')).toMatchObject({ id: first.id, input: 'text' });
      expect(queue.findByKey('key-2')).toBeUndefined();
      expect(queue.list({ limit: 10 })).toHaveLength(2);
    });

    it('finds finished updates with the same content that were accepted earlier', async () => {
      const { queue, reopen } = await setUp();
      const accept = async (contentHash?: string): Promise<string> =>
        (await queue.accept('text', { contentHash })).id;
      const ids = [
        await accept('a'),
        await accept('b'),
        await accept('a'),
        await accept('a'),
        await accept(),
      ];
      for (let each = 0; each < 3; each += 1) {
        const claim = queue.claim();
        expect(claim && queue.complete(claim, 'filed')).toBe(true);
      }
      const found = ids.map((id) =>
        reopen()
          .findRepeated(id)
          .map((update) => ids.indexOf(update.id)),
      );
      expect(found).toEqual([[], [], [0], [2, 0], []]);
    });

    it('stores secrets with the update that is accepted with them, until they are forgotten', async () => {
      const { queue, reopen } = await setUp();
      const secrets = { label: '7f3a91c2', isKept: false, secrets: [{ mask: 'm', value: 'v' }] };
      await queue.accept('text', { key: 'key-1', secrets });
      await queue.accept('text', { key: 'key-1', secrets: { ...secrets, label: '00000000' } });
      expect(reopen().findSecrets('7f3a91c2')).toEqual(secrets);
      expect(queue.findSecrets('00000000')).toBeUndefined();
      queue.keepSecrets('7f3a91c2');
      expect(reopen().findSecrets('7f3a91c2')?.isKept).toBe(true);
      queue.forgetSecrets('7f3a91c2');
      expect(reopen().findSecrets('7f3a91c2')).toBeUndefined();
    });

    it('finds an update by an unambiguous id prefix', async () => {
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

  describe(`files in the ${name} queue`, () => {
    // Longer than one stored part, and not a multiple of its size.
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

    it('are read back byte for byte by the process that claims the update', async () => {
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

    it('are listed by name and size, even after the update is done and they are removed', async () => {
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

    it('are kept while the update can still be processed or retried', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept('text', { files });
      const expectStored = async (): Promise<void> => {
        await queue.removeUnusedFiles();
        const update = queue.find(id);
        const read = update && (await queue.readFiles(update));
        expect(read?.map(({ bytes }) => bytes.length)).toEqual(described.map(({ bytes }) => bytes));
      };
      await expectStored();
      const claim = queue.claim();
      await expectStored();
      if (claim) queue.fail(claim, otherReason('the key is wrong'), 'never');
      await expectStored();
      expect(await queue.cancel(id)).toBe(true);
      await expectStored();
      expect(await queue.retry(id)).toBe(true);
      await expectStored();
    });

    it('are not mixed up between concurrent updates, even if two requests have the same key', async () => {
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

  describe(`the ${name} queue with a listener`, () => {
    it('reports every state change until the listener is removed', async () => {
      const { queue } = await setUp();
      let notifications = 0;
      const stop = queue.onChange(() => void (notifications += 1));
      const countNotifications = async (change: () => unknown): Promise<number> => {
        const before = notifications;
        await change();
        return notifications - before;
      };
      const claimThen = (then: 'release' | 'complete' | 'fail') => {
        const claim = queue.claim();
        if (claim === null) throw new Error('the queue is empty');
        if (then === 'release') return queue.release(claim);
        return then === 'complete' ? queue.complete(claim, 1) : queue.fail(claim, otherReason('no'), 'never');
      };
      let id = '';
      expect(await countNotifications(async () => ({ id } = await queue.accept(1, { key: 'key' })))).toBe(1);
      expect(await countNotifications(() => claimThen('release'))).toBe(2);
      expect(await countNotifications(() => claimThen('fail'))).toBe(2);
      expect(await countNotifications(() => queue.retry(id))).toBe(1);
      expect(await countNotifications(() => queue.cancel(id))).toBe(1);
      await queue.retry(id);
      expect(await countNotifications(() => claimThen('complete'))).toBe(2);
      // These calls change nothing.
      expect(await countNotifications(() => queue.accept(1, { key: 'key' }))).toBe(0);
      expect(await countNotifications(() => queue.cancel(id))).toBe(0);
      expect(await countNotifications(() => queue.retry(id))).toBe(0);
      expect(await countNotifications(() => queue.claim())).toBe(0);
      stop();
      expect(await countNotifications(() => queue.accept(2))).toBe(0);
    });
  });

  describe(`the ${name} queue with several workers`, () => {
    it('hands out the oldest update, and no other one while that one is leased', async () => {
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

    it('hands out no later update while the oldest one is backing off', async () => {
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
      advance(timing.backoffMs);
      expect(queue.claim()?.update).toMatchObject({ id: first, attempts: 2 });
    });

    it('keeps an update that waits for something unavailable, with growing delays, and counts no attempt', async () => {
      const { queue, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const delays: number[] = [];
      for (let tries = 0; tries < timing.maxAttempts + 4; tries += 1) {
        const claim = queue.claim();
        expect(claim).toMatchObject({ update: { attempts: 1 }, isFinalAttempt: false });
        const now = queue.peek()?.claimableAt ?? 0;
        expect(claim && queue.fail(claim, otherReason('offline'), 'until-available')).toBe(true);
        const next = queue.find(id)?.nextAttemptAt ?? 0;
        delays.push(next - (now - timing.leaseMs));
        expect(queue.find(id)).toMatchObject({
          state: 'waiting',
          attempts: 0,
          reason: otherReason('offline'),
        });
        expect(queue.claim()).toBeNull();
        advance(delays.at(-1) ?? 0);
      }
      const doubled = delays.map((_, tries) => Math.min(timing.backoffMs * 2 ** tries, timing.maxWaitMs));
      expect(delays).toEqual(doubled);
      expect(delays.at(-1)).toBe(timing.maxWaitMs);
    });

    it('ends the delay of a waiting update on request', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      expect(await queue.retry(id)).toBe(false);
      const claim = queue.claim();
      if (claim) queue.fail(claim, otherReason('offline'), 'until-available');
      expect(queue.claim()).toBeNull();
      expect(await queue.retry(id)).toBe(true);
      expect(queue.claim()?.update.id).toBe(id);
    });

    it('hands out an update with an expired claim to exactly one other worker', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const dead = queue.claim();
      advance(timing.leaseMs - 1);
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

    it('hands out an update with an expired claim under the same id, so that effects keyed by the id happen once', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const committed = new Map<string, string>();
      // Like the journal: a change that exists under an id is not applied again.
      const commit = (by: string, update: string): string => {
        if (!committed.has(update)) committed.set(update, by);
        return committed.get(update) ?? '';
      };
      const dead = queue.claim();
      commit('the first', dead?.update.id ?? '');
      advance(timing.leaseMs);
      const other = reopen();
      const claim = other.claim();
      const result = commit('the second', claim?.update.id ?? '');
      expect(claim && other.complete(claim, result)).toBe(true);
      expect(dead && queue.complete(dead, 'too late')).toBe(false);
      expect([...committed]).toEqual([[id, 'the first']]);
      expect(queue.find(id)).toMatchObject({ state: 'done', attempts: 2, result: 'the first' });
    });

    it('keeps a claim that is renewed', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      await queue.accept(1);
      const claim = queue.claim();
      for (let round = 0; round < 5; round += 1) {
        advance(timing.leaseMs - 1);
        expect(claim && queue.renew(claim)).toBe(true);
        expect(reopen().claim()).toBeNull();
      }
    });
  });

  describe(`a claim by id in the ${name} queue`, () => {
    it('counts no attempt, not even after a crash, and takes an update that backs off', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const failed = queue.claim();
      if (failed) queue.fail(failed, otherReason('offline'), 'until-available');
      expect(queue.claim()).toBeNull();
      for (let tries = 0; tries <= timing.maxAttempts; tries += 1) {
        const claim = queue.claim(id);
        expect(claim).toMatchObject({ update: { id, state: 'running', attempts: 0 } });
        expect(reopen().claim(id)).toBeNull();
        advance(timing.leaseMs);
        expect(claim && queue.renew(claim)).toBe(true);
        advance(timing.leaseMs);
      }
      const claim = reopen().claim(id);
      expect(claim && queue.release(claim)).toBe(true);
      expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0, reason: otherReason('offline') });
      expect(queue.claim()).toMatchObject({ update: { attempts: 1 }, hasExhaustedAttempts: false });
    });

    it('takes a parked update, which is parked again when the claim is released or expires', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let tries = 0; tries < timing.maxAttempts; tries += 1) {
        const failed = queue.claim();
        if (failed) queue.fail(failed, otherReason('bad answer'), 'immediately');
      }
      const parked = { state: 'parked', attempts: timing.maxAttempts, reason: otherReason('bad answer') };
      expect(queue.find(id)).toMatchObject(parked);
      const claim = queue.claim(id);
      expect(claim && queue.release(claim)).toBe(true);
      expect(queue.find(id)).toMatchObject(parked);
      expect(queue.claim(id)).not.toBeNull();
      advance(timing.leaseMs);
      const other = reopen().claim(id);
      expect(other).toMatchObject({ hasExhaustedAttempts: false });
      expect(other && queue.release(other)).toBe(true);
      expect(queue.find(id)).toMatchObject(parked);
    });

    it('waits while any other update is processed, and takes no finished one', async () => {
      const { queue } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      const claim = queue.claim();
      expect(queue.claim(second)).toBeNull();
      expect(claim && queue.complete(claim, null)).toBe(true);
      expect(queue.claim(first)).toBeNull();
      expect(queue.claim(second)?.update.id).toBe(second);
      expect(queue.claim('unknown')).toBeNull();
    });
  });

  describe(`a claim beside others in the ${name} queue`, () => {
    it('takes a later update while the oldest one is processed, once and only while it is open', async () => {
      const { queue } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      expect(queue.claim()?.update.id).toBe(first);
      const claim = queue.claim(second, 'beside-others');
      expect(claim?.update).toMatchObject({ id: second, attempts: 1 });
      expect(queue.claim(second, 'beside-others')).toBeNull();
      expect(claim && queue.complete(claim, 'result')).toBe(true);
      expect(queue.claim(second, 'beside-others')).toBeNull();
      expect(queue.claim('unknown', 'beside-others')).toBeNull();
    });

    it('counts as an attempt and takes no update that backs off or is parked', async () => {
      const { queue, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let attempts = 1; attempts <= timing.maxAttempts; attempts += 1) {
        const claim = queue.claim(id, 'beside-others');
        expect(claim).toMatchObject({
          update: { attempts },
          isFinalAttempt: attempts === timing.maxAttempts,
        });
        if (claim) queue.fail(claim, otherReason('disk full'));
        expect(queue.claim(id, 'beside-others')).toBeNull();
        advance(timing.maxWaitMs);
      }
      expect(queue.find(id)?.state).toBe('parked');
      expect(queue.claim(id, 'beside-others')).toBeNull();
    });
  });

  describe(`the ${name} queue after a failed attempt`, () => {
    it('parks an update after its last attempt and continues with the next', async () => {
      const { queue, advance, timing } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      for (let attempt = 1; attempt <= timing.maxAttempts; attempt += 1) {
        const claim = queue.claim();
        expect(claim?.update).toMatchObject({ id: first, attempts: attempt });
        if (claim) queue.fail(claim, otherReason(`reason ${attempt}`));
        advance(timing.backoffMs * 4 ** attempt);
      }
      expect(queue.find(first)).toMatchObject({
        state: 'parked',
        reason: otherReason(`reason ${timing.maxAttempts}`),
      });
      expect(queue.claim()?.update.id).toBe(second);
    });

    it('parks an update immediately when a retry cannot succeed', async () => {
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

    it('retries an update immediately when a delay would not help', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      const claim = queue.claim();
      expect(claim && queue.fail(claim, otherReason('it only wrote prose'), 'immediately')).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 2 });
    });

    it('flags a claim if all earlier attempts crashed', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      for (let attempt = 1; attempt <= timing.maxAttempts; attempt += 1) {
        expect(reopen().claim()).toMatchObject({
          update: { id: first, attempts: attempt },
          hasExhaustedAttempts: false,
        });
        advance(timing.leaseMs);
      }
      const last = queue.claim();
      expect(last).toMatchObject({ update: { id: first }, hasExhaustedAttempts: true });
      expect(last && queue.fail(last, otherReason('it ended every worker'), 'never')).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id: second, attempts: 1 });
      expect(await queue.retry(first)).toBe(true);
      expect(queue.find(first)).toMatchObject({ state: 'waiting', attempts: 0 });
    });

    it('resets the attempts of a retried update and keeps its position', async () => {
      const { queue, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let attempt = 1; attempt <= timing.maxAttempts; attempt += 1) {
        const claim = queue.claim();
        if (claim) queue.fail(claim, otherReason('no'));
        advance(timing.backoffMs * 4 ** attempt);
      }
      await queue.accept(2);
      expect(await queue.retry(id)).toBe(true);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 1 });
      expect(await queue.retry(id)).toBe(false);
    });

    it('does not count a released attempt', async () => {
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

  describe(`progress in the ${name} queue`, () => {
    const saved = Buffer.from('half of it');

    it('is kept for the next attempt and resets the attempt count, until the update is done', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      for (let attempt = 1; attempt < timing.maxAttempts; attempt += 1) {
        queue.claim();
        advance(timing.leaseMs);
      }
      const claim = queue.claim();
      expect(claim).toMatchObject({
        update: { attempts: timing.maxAttempts },
        isFinalAttempt: true,
        hasExhaustedAttempts: false,
      });
      expect(claim && queue.saveProgress(claim, saved)).toBe(true);
      advance(timing.leaseMs);
      const other = reopen();
      expect(Buffer.from(other.loadProgress(id) ?? [])).toEqual(saved);
      const next = other.claim();
      expect(next).toMatchObject({
        update: { attempts: 2 },
        isFinalAttempt: false,
        hasExhaustedAttempts: false,
      });
      expect(next && other.complete(next, 'all')).toBe(true);
      expect(queue.loadProgress(id)).toBeNull();
    });

    it('is kept when the update is parked and retried, and deleted when it is cancelled', async () => {
      const { queue } = await setUp();
      const { id } = await queue.accept(1);
      const claim = queue.claim();
      if (claim) queue.saveProgress(claim, saved);
      if (claim) queue.fail(claim, otherReason('the money is spent'), 'never');
      expect(await queue.retry(id)).toBe(true);
      expect(queue.loadProgress(id)).not.toBeNull();
      expect(await queue.cancel(id)).toBe(true);
      expect(queue.loadProgress(id)).toBeNull();
    });

    it('is not accepted from a worker that has lost its claim', async () => {
      const { queue, reopen, advance, timing } = await setUp();
      const { id } = await queue.accept(1);
      const dead = queue.claim();
      advance(timing.leaseMs);
      reopen().claim();
      expect(dead && queue.saveProgress(dead, saved)).toBe(false);
      expect(queue.loadProgress(id)).toBeNull();
    });
  });

  describe(`a cancellation in the ${name} queue`, () => {
    it('succeeds for a waiting update, but not for a running or finished one', async () => {
      const { queue } = await setUp();
      const [first, second] = [(await queue.accept(1)).id, (await queue.accept(2)).id];
      const claim = queue.claim();
      expect(await queue.cancel(first)).toBe(false);
      expect(await queue.cancel(second)).toBe(true);
      if (claim) queue.complete(claim, null);
      expect(await queue.cancel(first)).toBe(false);
      expect(queue.claim()).toBeNull();
      expect(queue.list({ state: 'cancelled', limit: 10 }).map(({ id }) => id)).toEqual([second]);
      expect(queue.countByState()).toEqual({ waiting: 0, running: 0, done: 1, parked: 0, cancelled: 1 });
    });
  });

  describe(`the ${name} queue with a wrong clock`, () => {
    const aYear = 365 * 24 * 3_600_000;

    it('retries an update that failed while the clock was a year ahead, once the clock is corrected', async () => {
      const { queue, advance } = await setUp();
      const { id } = await queue.accept(1);
      advance(aYear);
      const claim = queue.claim();
      if (claim) queue.fail(claim, otherReason('no answer'));
      expect(queue.claim()).toBeNull();
      advance(-aYear);
      expect(queue.peek()?.claimableAt).toBeLessThan(aYear);
      expect(queue.find(id)?.nextAttemptAt).toBeLessThan(aYear);
      expect(queue.claim()?.update).toMatchObject({ id, attempts: 2 });
    });

    it('reclaims a lease written with a clock a year ahead', async () => {
      const { queue, reopen, advance } = await setUp();
      const { id } = await queue.accept(1);
      advance(aYear);
      const dead = queue.claim();
      advance(-aYear);
      expect(reopen().claim()?.update).toMatchObject({ id, attempts: 2 });
      expect(dead && queue.renew(dead)).toBe(false);
    });

    it('keeps a claim that is renewed after the clock jumps back or ahead', async () => {
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

  describe(`the head of the ${name} queue`, () => {
    it('shows when the oldest update becomes claimable, and is null for an empty queue', async () => {
      const { queue, timing } = await setUp();
      expect(queue.peek()).toBeNull();
      const { id } = await queue.accept(1);
      await queue.accept(2);
      const maxAttempts = timing.maxAttempts;
      expect(queue.peek()).toEqual({
        id,
        state: 'waiting',
        attempts: 0,
        reason: null,
        maxAttempts,
        claimableAt: 0,
      });
      expect(queue.find(id)?.nextAttemptAt).toBeNull();
      const claim = queue.claim();
      expect(queue.peek()).toMatchObject({ id, state: 'running', attempts: 1 });
      expect(queue.peek()?.claimableAt).toBeGreaterThanOrEqual(timing.leaseMs);
      if (claim) queue.fail(claim, otherReason('no'));
      const next = queue.peek();
      expect(next).toMatchObject({ id, state: 'waiting', attempts: 1, reason: otherReason('no') });
      expect(next?.claimableAt).toBeGreaterThanOrEqual(timing.backoffMs);
      expect(queue.find(id)?.nextAttemptAt).toBe(next?.claimableAt);
    });
  });
}
