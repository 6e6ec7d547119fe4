import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ScriptedModel } from '../../../../test/scripted-model/server.ts';
import { createChatModel } from './providers.ts';
import { tryModel } from './try-model.ts';
import type { Trial } from './try-model.ts';

async function aServer(): Promise<ScriptedModel> {
  const server = await startScriptedModel();
  onTestFinished(() => server.close());
  return server;
}

const never = new AbortController().signal;

/** A clock that goes on by a second each time it is looked at. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 1_000);
}

function trial(server: ScriptedModel, patience?: number): Promise<Trial> {
  const model = createChatModel({ provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl });
  return tryModel(model, never, ticking(), patience);
}

const report = (left: string, right: string) => ({ calls: [{ tool: 'report', input: { left, right } }] });
const noImages = { fault: 'status', status: 400, body: '{"error":{"message":"no images, please"}}' } as const;

describe('trying a model', () => {
  it('takes one call with an image and a tool', async () => {
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
      'does not see',
      report('red', 'green'),
      { callsTools: true, blindBecause: 'it did not see what is in one' },
    ],
    ['does not call', { text: 'Yellow and blue.' }, { callsTools: false, blindBecause: null }],
    ['does neither', { text: 'Hello!' }, { reply: 'Hello!', callsTools: false }],
    ['calls with nonsense', { calls: [{ tool: 'report', rawInput: '{"left"' }] }, { callsTools: false }],
    ['calls something else', { calls: [{ tool: 'see', input: {} }] }, { reply: 'see {}', callsTools: false }],
    ['says nothing', { text: '' }, { reply: '', callsTools: false }],
  ])('tells that it %s', async (_, turn, expected) => {
    const server = await aServer();
    server.script(turn);
    expect(await trial(server)).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  it('asks once more without an image where that was rejected', async () => {
    const server = await aServer();
    server.script(noImages, report('yellow', 'blue'));
    expect(await trial(server)).toMatchObject({
      callsTools: true,
      blindBecause: expect.stringContaining('no images, please'),
    });
    expect(server.requests.map(({ images }) => images.inUserMessages)).toEqual([1, 0]);
  });

  it('throws what is wrong, and asks no second time where the image cannot be the reason', async () => {
    const server = await aServer();
    server.respond(() => ({ fault: 'status', status: 401, body: '{}' }));
    await expect(trial(server)).rejects.toMatchObject({ code: 'refused' });
    expect(server.requests).toHaveLength(1);
    server.respond(() => noImages);
    await expect(trial(server)).rejects.toMatchObject({ code: 'rejected' });
    expect(server.requests).toHaveLength(3);
  });

  it('gives up on a model that is silent', async () => {
    const server = await aServer();
    server.script({ fault: 'hang' });
    await expect(trial(server, 100)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('silent'),
    });
  });
});
