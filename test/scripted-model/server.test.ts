import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { InvalidToolInputError, NoSuchToolError } from 'ai';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askStreaming, everyClient } from './clients.ts';
import { startScriptedModel } from './server.ts';
import type { Call, ScriptedModel } from './server.ts';

let server: ScriptedModel;
beforeEach(async () => {
  server = await startScriptedModel();
});
afterEach(() => server.close());

/** The Responses API has no finish reason. */
const finishReasons = {
  'chat-completions': { stop: 'stop', toolCalls: 'tool_calls' },
  messages: { stop: 'end_turn', toolCalls: 'tool_use' },
  responses: { stop: undefined, toolCalls: undefined },
};

const hello: ModelMessage[] = [{ role: 'user', content: 'Hello' }];

describe.each(everyClient())('a client ($client)', ({ api, connect, ask, isStreaming }) => {
  const { stop, toolCalls } = finishReasons[api];

  test('receives the scripted text', async () => {
    const text = 'Good morning 🌅, and – so to say – a "fine" one.\nWhat shall we note?';
    server.script({ text });
    const outcome = await ask({ model: connect(server.baseUrl), messages: hello });
    expect(outcome).toMatchObject({ text, toolCalls: [], finishReason: 'stop' });
    expect(outcome.rawFinishReason).toBe(stop);
    if (isStreaming) expect(outcome.pieces?.text).toBeGreaterThan(2);
  });

  test('receives text and two tool calls in one step', async () => {
    const calls: Call[] = [
      { tool: 'read', input: { path: 'people/Ada.md' } },
      { tool: 'search', input: { query: 'größer als – "alles"' } },
    ];
    server.script({ text: 'Let me look.', calls });
    const outcome = await ask({ model: connect(server.baseUrl), messages: hello });
    expect(outcome).toMatchObject({ text: 'Let me look.', finishReason: 'tool-calls' });
    expect(outcome.rawFinishReason).toBe(toolCalls);
    expect(outcome.toolCalls.map(({ toolName, input }) => ({ tool: toolName, input }))).toEqual(calls);
    expect(new Set(outcome.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    if (isStreaming) expect(outcome.pieces?.input).toBeGreaterThan(4);
  });

  test('receives malformed arguments and calls to unknown tools unchanged', async () => {
    const rawInput = '{"path": "people/Ad';
    server.script({
      calls: [
        { tool: 'read', rawInput },
        { tool: 'fly', input: { to: 'the moon' } },
      ],
    });
    const outcome = await ask({ model: connect(server.baseUrl), messages: hello });
    const [malformed, unknown] = outcome.toolCalls;
    expect(malformed).toMatchObject({ toolName: 'read', input: rawInput, dynamic: true, invalid: true });
    expect(InvalidToolInputError.isInstance(malformed?.error)).toBe(true);
    expect(unknown).toMatchObject({ toolName: 'fly', input: { to: 'the moon' }, invalid: true });
    expect(NoSuchToolError.isInstance(unknown?.error)).toBe(true);
  });

  test('receives the scripted usage, including cached tokens', async () => {
    server.script({ text: 'Hi', usage: { input: 1200, output: 34, cached: 1000 } });
    const { usage } = await ask({ model: connect(server.baseUrl), messages: hello });
    expect(usage).toMatchObject({
      inputTokens: 1200,
      inputTokenDetails: { noCacheTokens: 200, cacheReadTokens: 1000 },
      outputTokens: 34,
    });
  });

  test('receives usage that grows with the conversation if the script specifies none', async () => {
    server.script({ text: 'four' }, { text: 'four times as long' });
    const model = connect(server.baseUrl);
    const { usage: small } = await ask({ model, messages: hello });
    const { usage: big } = await ask({ model, messages: [{ role: 'user', content: 'x'.repeat(4000) }] });
    expect(small.outputTokens).toBe(1);
    expect(big.outputTokens).toBe(5);
    expect((big.inputTokens ?? 0) - (small.inputTokens ?? 0)).toBeGreaterThan(990);
  });

  test('receives an empty response', async () => {
    server.script({});
    const outcome = await ask({ model: connect(server.baseUrl), messages: hello });
    expect(outcome).toMatchObject({ text: '', toolCalls: [], finishReason: 'stop' });
  });

  test('is answered by the `respond` function after the end of the script', async () => {
    server.script({ text: 'scripted' });
    server.respond(({ userTexts }, index) => ({ text: `${index}: ${userTexts.join(' and ')}` }));
    const model = connect(server.baseUrl);
    const texts = [
      (await ask({ model, messages: hello })).text,
      (await ask({ model, messages: hello })).text,
      (await ask({ model, messages: [{ role: 'user', content: 'Bye' }] })).text,
    ];
    expect(texts).toEqual(['scripted', '1: Hello', '2: Bye']);
  });
});

test('a stream of chat completions contains usage only on request', async () => {
  server.script({ text: 'Hi', usage: { input: 1200, output: 34 } });
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.baseUrl })('model');
  const { text, usage } = await askStreaming({ model, messages: hello });
  expect(text).toBe('Hi');
  expect(usage.inputTokens).toBeUndefined();
});
