import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Embedder } from './index.ts';

const soon = (): AbortSignal => AbortSignal.timeout(30_000);

/** The contract of every embedder. `open` returns a new one each time; the tests close it. */
export function embedderContract(name: string, open: () => Embedder): void {
  const using = async (work: (embedder: Embedder) => Promise<void>): Promise<void> => {
    const embedder = open();
    try {
      await work(embedder);
    } finally {
      await embedder.close();
    }
  };

  describe(`${name} as an embedder`, () => {
    it('returns one vector of length 1 for each text, in order', () =>
      using(async (embedder) => {
        const texts = ['a dog is running', 'the tax declaration', 'a dog is running'];
        const vectors = await embedder.embed(texts, 'document', soon());
        expect(vectors).toHaveLength(3);
        for (const vector of vectors) {
          expect(vector).toHaveLength(await embedder.dimensions(soon()));
          expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        }
        expect(similarity(vectors[0], vectors[2])).toBeCloseTo(1, 4);
        expect(similarity(vectors[0], vectors[1])).toBeLessThan(0.9);
      }));

    it('knows its dimensions before the first call to embed', () =>
      using(async (embedder) => {
        expect(await embedder.dimensions(soon())).toBeGreaterThan(0);
      }));

    it('accepts an empty list, empty texts, lone surrogates and texts longer than its context', () =>
      using(async (embedder) => {
        expect(await embedder.embed([], 'document', soon())).toEqual([]);
        const long = 'où est le chat ? '.repeat(embedder.contextTokens);
        const vectors = await embedder.embed(['', ' \n', 'half \ud83d of it', long], 'document', soon());
        expect(vectors.map((vector) => vector.length)).toEqual(Array(4).fill(vectors[0]?.length));
      }));

    it('has a stable fingerprint and reports the maximum text length', () =>
      using(async (embedder) =>
        using(async (other) => {
          expect(other.fingerprint).toBe(embedder.fingerprint);
          expect(embedder.contextTokens).toBeGreaterThan(100);
        }),
      ));

    it('rejects a call whose signal is already aborted', () =>
      using(async (embedder) => {
        const reason = new Error('too late');
        await expect(embedder.embed(['a'], 'query', AbortSignal.abort(reason))).rejects.toBe(reason);
        await expect(embedder.dimensions(AbortSignal.abort(reason))).rejects.toBe(reason);
      }));

    it('rejects a call immediately when it is aborted, and works again afterwards', () =>
      using(async (embedder) => {
        await embedder.dimensions(soon());
        const controller = new AbortController();
        const texts = Array.from({ length: 200 }, (_, index) => `text ${index} ${'word '.repeat(100)}`);
        const embedding = embedder.embed(texts, 'document', controller.signal);
        const reason = new Error('enough');
        controller.abort(reason);
        // Immediately means before any other work, such as a text or a request.
        await expect(Promise.race([embedding, setImmediate()])).rejects.toBe(reason);
        expect(await embedder.embed(['again'], 'query', soon())).toHaveLength(1);
      }));

    it('handles concurrent calls', () =>
      using(async (embedder) => {
        const results = await Promise.all(
          ['a dog', 'a cat', 'a dog'].map((text) => embedder.embed([text], 'query', soon())),
        );
        expect(similarity(results[0]?.[0], results[2]?.[0])).toBeCloseTo(1, 4);
      }));

    it('rejects calls after it is closed', async () => {
      const embedder = open();
      await embedder.close();
      await expect(embedder.embed(['a'], 'query', soon())).rejects.toMatchObject({ code: 'closed' });
      await embedder.close();
    });
  });
}

/** Cosine similarity, because both vectors have length 1. */
export function similarity(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a vector is missing');
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
