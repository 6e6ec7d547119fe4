import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { embedderContract, similarity } from './embedder.contract.ts';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);
let server: ScriptedModels;

beforeEach(async () => {
  server = await startScriptedModels();
});
afterEach(() => server.close());

const open = (model = 'nomic-embed-text') =>
  createRemoteEmbedder({ baseUrl: server.baseUrl, model, apiKey: 'secret' });

const inputs = (): string[][] => server.requests.map(({ body }) => (body as { input: string[] }).input);
const vectors = (...embeddings: unknown[]) => ({
  do: 'send' as const,
  body: { object: 'list', data: embeddings.map((embedding, index) => ({ index, embedding })) },
});

embedderContract('the remote embedder', () => open());

describe('the remote embedder', () => {
  it('sends the key, the model and the prefix for the purpose of a text', async () => {
    const embedder = open();
    await embedder.embed(['who'], 'query', soon());
    await embedder.embed(['me'], 'document', soon());
    expect(inputs()).toEqual([['search_query: who'], ['search_document: me']]);
    expect(server.requests[0]?.path).toBe('/v1/embeddings');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(server.requests[0]?.body).toMatchObject({ model: 'nomic-embed-text' });
  });

  it('splits many texts into several requests and keeps their order', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `word${index}`);
    const many = await open('plain').embed(texts, 'document', soon());
    expect(inputs().map(({ length }) => length)).toEqual([64, 64, 22]);
    const [alone] = await open('plain').embed(['word149'], 'document', soon());
    expect(similarity(many[149], alone)).toBeCloseTo(1, 5);
  });

  it('keeps a request under 200,000 characters', async () => {
    const embedder = createRemoteEmbedder({ baseUrl: server.baseUrl, model: 'm', contextTokens: 20_000 });
    await embedder.embed(Array(5).fill('x'.repeat(70_000)), 'document', soon());
    expect(inputs().map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it('retries after 429 and 500', async () => {
    const headers = { 'retry-after-ms': '5' };
    server.script(
      '/embeddings',
      { do: 'status', status: 429, headers },
      { do: 'status', status: 500, headers, body: 'oops' },
    );
    expect(await open().embed(['a'], 'document', soon())).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it('reports an unavailable server when retries fail', async () => {
    const step = { do: 'status', status: 503, headers: { 'retry-after-ms': '5' } } as const;
    server.script('/embeddings', step, step, step, step, step);
    await expect(open().embed(['a'], 'document', soon())).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(4);
  });

  it('sends a query only once', async () => {
    server.script('/embeddings', { do: 'status', status: 503 });
    await expect(open().embed(['a'], 'query', soon())).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });

  it('reports a wrong key without retrying', async () => {
    server.script('/embeddings', { do: 'status', status: 401, body: '{"error":{"message":"bad key"}}' });
    await expect(open().embed(['a'], 'document', soon())).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('bad key'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('finds the error message in a response that is not in the OpenAI format', async () => {
    server.script('/embeddings', { do: 'status', status: 400, body: '{"error":"no such thing"}' });
    await expect(open().embed(['a'], 'query', soon())).rejects.toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('no such thing'),
    });
  });

  it('reports a model that the server does not have', async () => {
    server.script('/embeddings', {
      do: 'status',
      status: 404,
      body: '{"error":{"message":"model \\"m\\" not found"}}',
    });
    await expect(open('m').embed(['a'], 'document', soon())).rejects.toMatchObject({ code: 'rejected' });
  });

  it('reports that no server responds', async () => {
    const gone = await startScriptedModels();
    await gone.close();
    const embedder = createRemoteEmbedder({ baseUrl: gone.baseUrl, model: 'm' });
    const failure = embedder.embed(['a'], 'query', AbortSignal.timeout(30_000));
    await expect(failure).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('reports a lost connection', async () => {
    const step = { do: 'cut', after: 20 } as const;
    server.script('/embeddings', step, step, step, step);
    await expect(open().embed(['a'], 'query', soon())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each([
    ['garbage', { do: 'send' as const, body: '<html>hello</html>' }],
    ['no data', { do: 'send' as const, body: {} }],
    ['no vectors', vectors()],
    ['too few vectors', vectors([1, 0])],
    ['too many vectors', vectors([1, 0], [0, 1], [1, 1])],
    ['null instead of a vector', vectors([1, 0], null)],
    ['an empty vector', vectors([1, 0], [])],
    ['a vector without a direction', vectors([1, 0], [0, 0])],
    ['null in a vector', vectors([1, 0], [null, 1])],
    ['vectors of different dimensions', vectors([1, 0], [1, 0, 0])],
  ])('treats %s as a failure', async (_, step) => {
    server.script('/embeddings', step);
    await expect(open().embed(['a', 'b'], 'document', soon())).rejects.toMatchObject({
      name: 'ModelError',
      code: 'bad-answer',
    });
  });

  it('treats a change of dimensions between requests as a failure', async () => {
    const embedder = open();
    server.script('/embeddings', vectors([1, 0]), vectors([1, 0, 0]));
    await embedder.embed(['a'], 'document', soon());
    await expect(embedder.embed(['b'], 'document', soon())).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('truncates only the text that the server rejects as too long', async () => {
    const tooLong = {
      do: 'status',
      status: 400,
      body: '{"error":{"message":"the input length exceeds the context length"}}',
    } as const;
    server.script('/embeddings', tooLong, { do: 'answer' }, tooLong, { do: 'answer' });
    const result = await open('plain').embed(['short', 'x'.repeat(1000)], 'document', soon());
    expect(result).toHaveLength(2);
    expect(inputs().map((input) => input.map(({ length }) => length))).toEqual([
      [5, 1000],
      [5],
      [1000],
      [500],
    ]);
  });

  it('stops waiting for a hanging server when the signal is aborted', async () => {
    server.script('/embeddings', { do: 'hang' });
    const [controller, reason] = [new AbortController(), new Error('enough')];
    const embedding = open().embed(['a'], 'query', controller.signal);
    await vi.waitUntil(() => server.requests.length === 1, { timeout: 20_000 });
    controller.abort(reason);
    await expect(Promise.race([embedding, setImmediate()])).rejects.toBe(reason);
  });

  it('has a different fingerprint for another model or server', () => {
    const fingerprints = [
      open('a'),
      open('b'),
      createRemoteEmbedder({ baseUrl: 'https://example.org/v1/', model: 'a' }),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(3);
    expect(fingerprints.join(' ')).not.toContain('secret');
  });

  it.each([
    '',
    'localhost',
    'file:///etc/passwd',
    'http://me:pw@example.org/v1',
    'http://example.org/?key=1',
  ])('rejects %j as a URL', (baseUrl) => {
    expect(() => createRemoteEmbedder({ baseUrl, model: 'm' })).toThrow(
      expect.objectContaining({ code: 'bad-address' }),
    );
  });
});
