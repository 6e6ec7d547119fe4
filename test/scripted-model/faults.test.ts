import { APICallError, RetryError } from 'ai';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askStreaming, everyClient, providers } from './clients.ts';
import { startScriptedModel } from './server.ts';
import type { ScriptedModel, Turn } from './server.ts';

let server: ScriptedModel;
beforeEach(async () => {
  server = await startScriptedModel();
});
afterEach(() => server.close());

const hello: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
const longCall = { tool: 'read', input: { path: 'x'.repeat(5000) } };

describe.each(everyClient())('$client', ({ connect, ask }) => {
  const failureOf = async (options: { abortSignal?: AbortSignal; maxRetries?: number } = {}) =>
    ask({ model: connect(server.baseUrl), messages: hello, ...options }).then(
      ({ text }) => expect.fail(`it answered ${text}`),
      (error: unknown) => error as Error,
    );

  test('receives an error status with its headers and body', async () => {
    server.script({ fault: 'status', status: 402, headers: { 'x-reason': 'broke' }, body: 'No money' });
    const error = await failureOf({ maxRetries: 2 });
    if (!APICallError.isInstance(error)) throw error;
    expect(error).toMatchObject({ statusCode: 402, responseBody: 'No money', isRetryable: false });
    expect(error.responseHeaders).toMatchObject({ 'x-reason': 'broke' });
    expect(server.requests.length).toBe(1);
  });

  test('retries after a retryable status', async () => {
    const busy: Turn = { fault: 'status', status: 429, headers: { 'retry-after-ms': '1' } };
    server.script(busy, busy, { text: 'Now' });
    const { text } = await ask({ model: connect(server.baseUrl), messages: hello, maxRetries: 2 });
    expect(text).toBe('Now');
    expect(server.requests.length).toBe(3);
  });

  test('gets an error when the script is over, and retries without waiting', async () => {
    const error = await failureOf({ maxRetries: 2 });
    expect(error.message).toContain('the script is over');
    if (!RetryError.isInstance(error)) throw error;
    expect(error.errors).toHaveLength(3);
    for (const each of error.errors)
      expect(each).toMatchObject({ responseHeaders: { 'retry-after-ms': '0' } });
  });

  test('gets the error that the function that creates the response throws', async () => {
    server.respond(({ toolNames }) => {
      expect(toolNames).toEqual(['nothing']);
      return {};
    });
    expect((await failureOf()).message).toContain('AssertionError');
  });

  test('rejects a response that violates the protocol', async () => {
    server.script({ fault: 'garbage' });
    expect((await failureOf()).message).toMatch(/JSON|Expected a normalized/);
  });

  test.each<[string, Turn]>([
    ['before the body', { fault: 'cut', after: 0 }],
    ['in the text', { fault: 'cut', after: 1500 }],
    ['in the arguments of a call', { fault: 'cut', after: 2500, turn: { calls: [longCall] } }],
    ['after the whole body', { fault: 'cut', after: 100_000, turn: { text: 'All of it' } }],
  ])('loses the connection %s', async (_where, turn) => {
    server.script(turn);
    const error = await failureOf();
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(true);
    expect(error.message).toBe('Failed to process successful response');
  });

  test.each<[string, Turn]>([
    ['before the response', { fault: 'hang' }],
    ['before the body', { fault: 'stall', after: 0 }],
    ['in the text', { fault: 'stall', after: 1500 }],
    ['in the arguments of a call', { fault: 'stall', after: 2500, turn: { calls: [longCall] } }],
  ])('times out %s', async (_where, turn) => {
    server.script(turn);
    const controller = new AbortController();
    const failure = failureOf({ abortSignal: controller.signal });
    await vi.waitUntil(() => server.requests.length > 0, { timeout: 30_000 });
    setTimeout(() => controller.abort(new DOMException('Timed out.', 'TimeoutError')), 100);
    expect(String(await failure)).toContain('TimeoutError');
    expect(server.requests.length).toBe(1);
  });

  test('may disconnect before the response', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    server.respond(async () => {
      await left;
      return { text: 'Too late' };
    });
    const controller = new AbortController();
    const failure = failureOf({ abortSignal: controller.signal });
    await vi.waitUntil(() => server.requests.length > 0, { timeout: 30_000 });
    controller.abort();
    await failure;
    leave();
    server.script({ text: 'Still here' });
    expect((await ask({ model: connect(server.baseUrl), messages: hello })).text).toBe('Still here');
  });
});

describe.each(Object.entries(providers))('a stalled stream of %s', (_name, connect) => {
  test('ends after a timeout between chunks', async () => {
    server.script({ fault: 'stall', after: 1500 });
    const asking = askStreaming({
      model: connect(server.baseUrl),
      messages: hello,
      timeout: { chunkMs: 100 },
    });
    await expect(asking).rejects.toThrow('TimeoutError');
  });
});

test('a request for an unknown path gets 404', async () => {
  const response = await fetch(`${server.baseUrl}/models`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('no such path: GET /v1/models');
  expect(server.requests).toEqual([]);
});
