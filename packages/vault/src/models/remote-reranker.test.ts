import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { createRemoteReranker } from './remote-reranker.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);
let server: ScriptedModels;

beforeEach(async () => {
  server = await startScriptedModels();
});
afterEach(() => server.close());

const open = () => createRemoteReranker({ baseUrl: server.baseUrl, model: 'bge-reranker', apiKey: 'secret' });
const results = (...scores: [number, unknown][]) => ({
  do: 'send' as const,
  body: { results: scores.map(([index, score]) => ({ index, relevance_score: score })) },
});

describe('the remote reranker', () => {
  it('returns the scores in the order of the texts, whatever the order of the response', async () => {
    const scores = await open().score('red bike', ['nothing', 'a red bike', 'a bike'], soon());
    expect(scores).toEqual([0, 1, 0.5]);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/rerank',
      headers: { authorization: 'Bearer secret' },
      body: {
        model: 'bge-reranker',
        query: 'red bike',
        documents: ['nothing', 'a red bike', 'a bike'],
        top_n: 3,
      },
    });
  });

  it('converts logits to scores from 0 to 1 and remembers that they are logits', async () => {
    const reranker = open();
    server.script('/rerank', results([1, -11], [0, 7.7]), results([0, 0.5], [1, 0]));
    const [high = 0, low = 0] = await reranker.score('q', ['a', 'b'], soon());
    expect(high).toBeGreaterThan(0.99);
    expect(low).toBeLessThan(0.01);
    expect(low).toBeGreaterThan(0);
    expect((await reranker.score('q', ['a', 'b'], soon()))[1]).toBe(0.5);
  });

  it('sends no request for an empty list', async () => {
    expect(await open().score('q', [], soon())).toEqual([]);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['garbage', { do: 'send' as const, body: 'oops' }],
    ['nothing', { do: 'send' as const, body: '' }],
    ['no results', { do: 'send' as const, body: { results: [] } }],
    ['a missing score', results([0, 0.5])],
    ['a duplicate score', results([0, 0.5], [0, 0.6])],
    ['null instead of a score', results([0, 0.5], [1, null])],
    ['an index out of range', results([0, 0.5], [2, 0.5])],
  ])('treats %s as a failure', async (_, step) => {
    server.script('/rerank', step);
    await expect(open().score('q', ['a', 'b'], soon())).rejects.toMatchObject({
      name: 'ModelError',
      code: 'bad-answer',
    });
  });

  it.each([
    [{ do: 'status' as const, status: 401, body: 'no' }, 'refused'],
    [{ do: 'status' as const, status: 404, body: 'no' }, 'rejected'],
    [{ do: 'status' as const, status: 429, body: 'no' }, 'unavailable'],
    [{ do: 'status' as const, status: 501, body: 'start it with --reranking' }, 'unavailable'],
    [{ do: 'cut' as const, after: 10 }, 'unreachable'],
  ])('reports the error of the server: %j', async (step, code) => {
    server.script('/rerank', step);
    await expect(open().score('q', ['a'], soon())).rejects.toMatchObject({ code });
  });

  it('stops waiting for a hanging server when the signal is aborted', async () => {
    server.script('/rerank', { do: 'hang' });
    await expect(open().score('q', ['a'], AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
