import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ScriptedModel } from '../../../../test/scripted-model/server.ts';
import { createChatModel } from './providers.ts';
import { testModel } from './try-model.ts';
import type { ModelTestResult } from './try-model.ts';

async function aServer(): Promise<ScriptedModel> {
  const server = await startScriptedModel();
  onTestFinished(() => server.close());
  return server;
}

const never = new AbortController().signal;

/** A clock that advances by a second with each reading. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 1_000);
}

function trial(server: ScriptedModel, timeoutMs?: number): Promise<ModelTestResult> {
  const model = createChatModel({ provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl });
  return testModel(model, never, ticking(), timeoutMs);
}

const report = (left: string, right: string) => ({ calls: [{ tool: 'report', input: { left, right } }] });
const noImages = { fault: 'status', status: 400, body: '{"error":{"message":"no images, please"}}' } as const;

describe('a model test', () => {
  it('makes a single call with an image and a tool', async () => {
    const server = await aServer();
    server.script({ ...report('Yellow', 'dark blue'), usage: { input: 90, output: 9 } });
    expect(await trial(server)).toEqual({
      reply: 'report {"left":"Yellow","right":"dark blue"}',
      milliseconds: 1_000,
      callsTools: true,
      blindBecause: null,
      usage: { input: 90, cached: 0, written: 0, output: 9 },
    });
    expect(server.requests).toMatchObject([{ toolNames: ['report'], images: { inUserMessages: 1 } }]);
  });

  it.each([
    [
      'does not recognize the image',
      report('red', 'green'),
      { callsTools: true, blindBecause: 'it did not recognize the image' },
    ],
    ['does not call the tool', { text: 'Yellow and blue.' }, { callsTools: false, blindBecause: null }],
    [
      'neither recognizes the image nor calls the tool',
      { text: 'Hello!' },
      { reply: 'Hello!', callsTools: false },
    ],
    [
      'calls the tool with invalid input',
      { calls: [{ tool: 'report', rawInput: '{"left"' }] },
      { callsTools: false },
    ],
    ['calls another tool', { calls: [{ tool: 'see', input: {} }] }, { reply: 'see {}', callsTools: false }],
    ['returns no text', { text: '' }, { reply: '', callsTools: false }],
  ])('reports that the model %s', async (_, turn, expected) => {
    const server = await aServer();
    server.script(turn);
    expect(await trial(server)).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  it('retries without the image if the image was rejected', async () => {
    const server = await aServer();
    server.script(noImages, report('yellow', 'blue'));
    expect(await trial(server)).toMatchObject({
      callsTools: true,
      blindBecause: expect.stringContaining('no images, please'),
    });
    expect(server.requests.map(({ images }) => images.inUserMessages)).toEqual([1, 0]);
  });

  it('throws the error if the image is not the cause', async () => {
    const server = await aServer();
    server.respond(() => ({ fault: 'status', status: 401, body: '{}' }));
    await expect(trial(server)).rejects.toMatchObject({ code: 'refused' });
    expect(server.requests).toHaveLength(1);
    server.respond(() => noImages);
    await expect(trial(server)).rejects.toMatchObject({ code: 'rejected' });
    expect(server.requests).toHaveLength(3);
  });

  it('times out if the model does not respond', async () => {
    const server = await aServer();
    server.script({ fault: 'hang' });
    await expect(trial(server, 100)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not respond in time'),
    });
  });
});
