import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAiSdkChatModel } from './ai-sdk-chat.ts';
import type { ChatMessage, ChatModel, ChatRequest } from './chat.ts';

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type Part = Stream extends ReadableStream<infer Each> ? Each : never;
type Finish = Extract<Part, { type: 'finish' }>;

/** A model without a server that sends these parts, one list per step. */
function modelThatSends(...answers: Part[][]): { chat: ChatModel; provider: MockLanguageModelV4 } {
  const provider = new MockLanguageModelV4({
    doStream: answers.map((parts) => ({ stream: ReadableStream.from(parts) })),
  });
  const chat = createAiSdkChatModel({
    name: 'test/model',
    endpoint: { baseUrl: 'http://127.0.0.1:1', model: 'model', apiKey: 'the-secret' },
    imagesInToolResults: false,
    open: async () => provider,
  });
  return { chat, provider };
}

function request(parts: Partial<ChatRequest> = {}): ChatRequest {
  return {
    instructions: 'Keep notes.',
    messages: [hello],
    tools: [{ name: 'read', description: 'Reads.', input: z.object({ path: z.string() }) }],
    signal: AbortSignal.timeout(20_000),
    ...parts,
  };
}

const hello: ChatMessage = { role: 'user', content: [{ text: 'Hello', images: [] }] };

const text: Part[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hi there' },
  { type: 'text-end', id: 't' },
];

function finish(
  unified: Finish['finishReason']['unified'],
  raw: string | undefined,
  [input, cached, output, written]: (number | undefined)[] = [],
): Part {
  return {
    type: 'finish',
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: written },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  };
}

describe('a step of a chat model', () => {
  it('returns the text and the usage that the server reports', async () => {
    const { chat } = modelThatSends([...text, finish('stop', 'end', [100, 80, 5, 15])]);
    expect(await chat.step(request())).toMatchObject({
      text: 'Hi there',
      calls: [],
      usage: { input: 100, cached: 80, written: 15, output: 5 },
    });
  });

  it('estimates the usage if the server does not report it', async () => {
    const { chat } = modelThatSends([...text, finish('stop', 'end')]);
    const { usage } = await chat.step(request());
    expect(usage).toEqual({ input: expect.any(Number), cached: 0, written: 0, output: 2 });
    expect(usage.input).toBeGreaterThan(10);
  });

  it('returns calls as the model wrote them and checks only that they are JSON', async () => {
    const call = (id: string, toolName: string, input: string): Part => ({
      type: 'tool-call',
      toolCallId: id,
      toolName,
      input,
    });
    const { chat } = modelThatSends([
      call('1', 'read', '{"wrong":1}'),
      call('2', 'read', '{"path": '),
      call('3', 'gone', '{"path":"a"}'),
      finish('tool-calls', 'tool_calls'),
    ]);
    expect((await chat.step(request())).calls).toEqual([
      { id: '1', toolName: 'read', input: { wrong: 1 }, isInvalid: false },
      { id: '2', toolName: 'read', input: '{"path": ', isInvalid: true },
      { id: '3', toolName: 'gone', input: { path: 'a' }, isInvalid: true },
    ]);
  });

  it("sends the provider's own messages back unchanged", async () => {
    const signature = { test: { signature: 'abc' } };
    const { chat, provider } = modelThatSends(
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
        { type: 'reasoning-end', id: 'r', providerMetadata: signature },
        { type: 'tool-call', toolCallId: '1', toolName: 'read', input: '{"path": ' },
        finish('tool-calls', 'tool_calls'),
      ],
      [...text, finish('stop', 'end')],
    );
    const { rawMessages } = await chat.step(request());
    const results = [{ id: '1', tool: 'read', kind: 'refused' as const, text: 'error: not JSON' }];
    await chat.step(
      request({
        messages: [hello, { role: 'assistant', rawMessages }, { role: 'tool', results }],
      }),
    );
    expect(provider.doStreamCalls[1]?.prompt.slice(2)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signature },
          { type: 'tool-call', toolCallId: '1' },
        ],
      },
      {
        role: 'tool',
        content: [{ toolCallId: '1', output: { type: 'error-text', value: 'error: not JSON' } }],
      },
    ]);
  });
});

describe('a failing step of a chat model', () => {
  it.each(['interrupted', 'other'] as const)(
    'throws a ModelError when the stream ends without a normal finish reason: %s',
    async (reason) => {
      const { chat } = modelThatSends([...text, finish(reason, undefined)]);
      await expect(chat.step(request())).rejects.toMatchObject({
        name: 'ModelError',
        code: 'unreachable',
        message: 'test/model stopped in the middle of its answer',
        hint: 'try again later',
      });
    },
  );

  it('throws a ModelError without the API key, whatever the provider throws', async () => {
    const { chat } = modelThatSends([{ type: 'error', error: new Error('bad key the-secret') }]);
    const failure = await chat.step(request()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ModelError', code: 'bad-answer' });
    expect(String(failure)).toContain('bad key [key]');
  });

  it('throws the reason of an aborted signal', async () => {
    const reason = new Error('enough');
    const { chat } = modelThatSends([...text, finish('stop', 'end')]);
    await expect(chat.step(request({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  });

  it('can be retried', async () => {
    const { chat } = modelThatSends([finish('other', undefined)], [...text, finish('stop', 'end')]);
    await expect(chat.step(request())).rejects.toThrow('stopped in the middle');
    expect((await chat.step(request())).text).toBe('Hi there');
  });
});
