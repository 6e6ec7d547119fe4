import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatRequest } from './chat.ts';
import { ModelError } from './error.ts';
import { createProgramChatModel } from './program-chat.ts';
import type { ProgramAnswer, ProgramEvents } from './program-chat.ts';

const usage = { input: 1, cached: 0, written: 0, output: 1 };
const answer = (text: string): ProgramAnswer => ({ text, calls: [], usage });
const user = (text: string): ChatMessage => ({ role: 'user', content: [{ text, images: [] }] });

/** A model whose programs are started and answered by the test. */
function program(timeoutSeconds = 60, onClose = (): void => undefined) {
  const runs: { events: ProgramEvents; sent: (readonly ChatMessage[])[]; isOpen: boolean }[] = [];
  const create = () =>
    createProgramChatModel({
      name: 'tool/model',
      endpoint: { baseUrl: '/bin/tool', model: 'model' },
      timeoutSeconds,
      async start(_, events) {
        const run = { events, sent: [] as (readonly ChatMessage[])[], isOpen: true };
        runs.push(run);
        return {
          send: (messages) => void run.sent.push(messages),
          close() {
            run.isOpen = false;
            onClose();
          },
        };
      },
    });
  return { create, runs };
}

const request = (messages: ChatMessage[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  instructions: '',
  tools: [],
  messages,
  signal: new AbortController().signal,
  ...more,
});

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('a model behind a program', () => {
  it('gets only what is new in each step', async () => {
    const { create, runs } = program();
    const model = create();
    const first = model.step(request([user('a')]));
    await settled();
    runs[0]?.events.onAnswer(answer('one'));
    const { rawMessages } = await first;
    const before: ChatMessage[] = [user('a'), { role: 'assistant', rawMessages }];
    const second = model.step(request([...before, user('b')]));
    await settled();
    runs[0]?.events.onAnswer(answer('two'));
    expect((await second).text).toBe('two');
    expect(runs.map(({ sent }) => sent)).toEqual([[[user('a')], [user('b')]]]);
    model.close?.();
    expect(runs[0]?.isOpen).toBe(false);
    await expect(model.step(request([...before, user('c')]))).rejects.toMatchObject({
      code: 'unreachable',
      reason: { code: 'broke-off' },
    });
  });

  it('keeps an answer that comes before it is asked for', async () => {
    const { create, runs } = program();
    const model = create();
    const first = model.step(request([user('a')]));
    await settled();
    runs[0]?.events.onAnswer(answer('one'));
    runs[0]?.events.onAnswer(answer('two'));
    const { rawMessages } = await first;
    const messages: ChatMessage[] = [
      user('a'),
      { role: 'assistant', rawMessages },
      { role: 'tool', results: [] },
    ];
    expect((await model.step(request(messages))).text).toBe('two');
    model.close?.();
  });

  it('lets the next program run if this one cannot be closed', async () => {
    const failing = program(60, () => {
      throw new Error('the folder cannot be removed');
    }).create();
    const first = failing.step(request([user('a')]));
    await settled();
    expect(() => failing.close?.()).toThrow('cannot be removed');
    const { create, runs } = program();
    const model = create();
    const second = model.step(request([user('b')]));
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.events.onAnswer(answer('two'));
    expect((await second).text).toBe('two');
    model.close?.();
    void first.catch(() => undefined);
  });

  it('runs one program at a time, and the next one as soon as a run is over', async () => {
    const { create, runs } = program();
    const [one, other] = [create(), create()];
    const first = one.step(request([user('a')]));
    const waiting = other.step(request([user('b')]));
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.events.onAnswer(answer('one'));
    await first;
    await settled();
    expect(runs).toHaveLength(1);
    one.close?.();
    await settled();
    expect(runs).toHaveLength(2);
    runs[1]?.events.onAnswer(answer('two'));
    expect((await waiting).text).toBe('two');
    other.close?.();
  });

  it('stops waiting for another program when it is aborted', async () => {
    const { create, runs } = program();
    const [one, other] = [create(), create()];
    void one.step(request([user('a')])).catch(() => undefined);
    await settled();
    const control = new AbortController();
    const waiting = other.step(request([user('b')], { signal: control.signal }));
    control.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(runs).toHaveLength(1);
    one.close?.();
  });

  it.each([
    [
      'fails',
      (run: ProgramEvents) => run.onFailure(new ModelError('refused', 'not signed in')),
      'not signed in',
    ],
    ['is silent', () => undefined, '/bin/tool did not respond in time'],
  ])('ends the program if it %s', async (_, act, message) => {
    const { create, runs } = program(0.05);
    const step = create().step(request([user('a')]));
    const failed = step.catch(String);
    await settled();
    act(runs[0]?.events as ProgramEvents);
    expect(await failed).toContain(message);
    expect(runs[0]?.isOpen).toBe(false);
  });

  it('ends the program if the run is aborted', async () => {
    const { create, runs } = program();
    const control = new AbortController();
    const step = create().step(request([user('a')], { signal: control.signal }));
    const failed = step.catch(String);
    await settled();
    control.abort(new Error('stopped'));
    expect(await failed).toContain('stopped');
    expect(runs[0]?.isOpen).toBe(false);
  });
});
