import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askWhole, everyClient, providers } from './clients.ts';
import { startScriptedModel } from './server.ts';
import type { ScriptedModel, SeenRequest } from './server.ts';

let server: ScriptedModel;
beforeEach(async () => {
  server = await startScriptedModel();
});
afterEach(() => server.close());

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } } as const;

const sent = {
  'chat-completions': {
    protocol: 'openai',
    path: '/v1/chat/completions',
    body: { model: 'model', max_tokens: 1000 },
  },
  messages: { protocol: 'anthropic', path: '/v1/messages', body: { model: 'model', max_tokens: 1000 } },
  responses: {
    protocol: 'responses',
    path: '/v1/responses',
    body: { model: 'model', max_output_tokens: 1000 },
  },
} as const;

describe.each(everyClient())('a request of $client', ({ api, connect, ask, isStreaming }) => {
  test('is recorded as received', async () => {
    server.script({ text: 'Hi' });
    await ask({ model: connect(server.baseUrl), messages: [{ role: 'user', content: 'Hello' }] });
    const [request] = server.requests;
    expect(request).toMatchObject({
      ...sent[api],
      isStreaming,
      headers: { 'content-type': 'application/json' },
    } satisfies Partial<SeenRequest>);
    expect(JSON.parse(request?.rawBody ?? '')).toEqual(request?.body);
  });

  test('is parsed into the same conversation over several turns', async () => {
    server.script(
      { calls: [{ tool: 'read', input: { path: 'a.md' } }] },
      {
        text: 'And more.',
        calls: [
          { tool: 'search', input: { query: 'b' } },
          { tool: 'read', input: { path: 'c.md' } },
        ],
      },
      { text: 'Done.' },
    );
    const model = connect(server.baseUrl);
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'First' },
          { type: 'text', text: 'question' },
        ],
      },
    ];
    for (const results of [['of a'], ['of b', 'of c']]) {
      const { toolCalls, responseMessages } = await ask({ model, messages });
      messages.push(...responseMessages, {
        role: 'tool',
        content: toolCalls.map(({ toolCallId, toolName }, index) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'text', value: results[index] ?? '' },
        })),
      });
    }
    messages.push({ role: 'user', content: 'Second question' });
    await ask({ model, messages });
    expect(server.requests.map(({ toolResults }) => toolResults.length)).toEqual([0, 1, 3]);
    expect(server.requests[2]).toMatchObject({
      system: 'You keep notes.',
      toolNames: ['read', 'search'],
      userTexts: ['First\nquestion', 'Second question'],
      toolResults: [
        { tool: 'read', text: 'of a' },
        { tool: 'search', text: 'of b' },
        { tool: 'read', text: 'of c' },
      ],
      images: { inToolResults: 0, inUserMessages: 0 },
    } satisfies Partial<SeenRequest>);
  });

  test('has its images counted', async () => {
    server.script({ text: 'Two pictures.' });
    const content = [{ type: 'text', text: 'What is this?' } as const, image, image];
    await ask({ model: connect(server.baseUrl), messages: [{ role: 'user', content }] });
    expect(server.requests[0]).toMatchObject({
      userTexts: ['What is this?'],
      images: { inToolResults: 0, inUserMessages: 2 },
    });
  });
});

describe('an image in a tool result', () => {
  const multiPart = (baseURL: string): LanguageModel =>
    createOpenAICompatible({ name: 'scripted', baseURL, supportsMultiPartToolContent: true })('model');

  test.each([
    ['anthropic', providers.anthropic],
    ['openai-compatible with image support enabled', multiPart],
  ])('is counted if it is sent by %s', async (_name, connect) => {
    expect(await seenResult(connect)).toMatchObject({
      toolResults: [{ tool: 'read', text: 'A picture:' }],
      images: { inToolResults: 1, inUserMessages: 0 },
    });
  });

  test.each([
    ['openai-compatible', providers['openai-compatible']],
    ['mistral', providers.mistral],
  ])('is a long text instead of an image if it is sent by %s', async (_name, connect) => {
    const { toolResults, images } = await seenResult(connect);
    expect(images).toEqual({ inToolResults: 0, inUserMessages: 0 });
    expect(toolResults).toEqual([{ tool: 'read', text: expect.stringContaining(pixel) }]);
  });

  async function seenResult(connect: (baseURL: string) => LanguageModel): Promise<SeenRequest> {
    const call = { toolCallId: 'abcdefghi', toolName: 'read' };
    const value = [{ type: 'text', text: 'A picture:' } as const, image];
    server.script({ text: 'I see.' });
    await askWhole({
      model: connect(server.baseUrl),
      messages: [
        { role: 'user', content: 'Show me' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: 'a.png' } }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'content', value } }] },
      ],
    });
    const [request] = server.requests;
    if (!request) throw new Error('nothing was asked');
    return request;
  }
});
