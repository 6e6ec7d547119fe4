import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { KeepsakeEvent } from '../contract/index.ts';
import { ModelError, zeroUsage, defaultRunLimits } from '../models/index.ts';
import type { ChatCall, ChatRequest, ChatStep, Ledger, RunLimits, Prices, Usage } from '../models/index.ts';
import type { ToolOutcome, ToolResult } from '../tools/index.ts';
import type { BoundTool } from './bind-tools.ts';
import { createConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';

type Answer = (request: ChatRequest) => Partial<ChatStep> | Promise<Partial<ChatStep>>;

type Options = {
  tools?: BoundTool[];
  limits?: Partial<RunLimits>;
  prices?: Prices;
  elapsed?: () => number;
  signal?: AbortSignal;
};

type Scene = {
  conversation: Conversation;
  /** The requests to the model, step by step. */
  requests: ChatRequest[];
  events: KeepsakeEvent[];
  /** How often the model was told that the run is over. */
  closed: () => number;
  /** The entries written to the ledger. */
  spent: { usage: Usage; cost: number | null }[];
};

/** A conversation with a scripted model; each answer may inspect its request. */
function converse(answers: Answer[], options: Options = {}): Scene {
  const requests: ChatRequest[] = [];
  const events: KeepsakeEvent[] = [];
  const { ledger, spent } = ledgerInMemory();
  let closed = 0;
  const conversation = createConversation({
    model: {
      name: 'scripted/model',
      async step(request) {
        requests.push(request);
        const answer = answers[requests.length - 1];
        if (answer === undefined) throw new Error('the script is over');
        return { text: '', calls: [], rawMessages: null, usage: nothing, ...(await answer(request)) };
      },
      close: () => void (closed += 1),
    },
    run: 'run-1',
    instructions: 'Keep notes.',
    tools: options.tools ?? [look],
    limits: { ...defaultRunLimits, ...options.limits },
    prices: options.prices ?? null,
    ledger,
    emit: (event) => void events.push(event),
    clock: () => 0,
    ...(options.elapsed && { monotonicNow: options.elapsed }),
    signal: options.signal ?? new AbortController().signal,
  });
  return { conversation, requests, events, spent, closed: () => closed };
}

const nothing: Usage = { input: 0, cached: 0, written: 0, output: 0 };

function ledgerInMemory(): { ledger: Ledger; spent: Scene['spent'] } {
  const spent: Scene['spent'] = [];
  const sum = (of: (entry: Scene['spent'][number]) => number): number =>
    spent.reduce((total, entry) => total + of(entry), 0);
  const ledger: Ledger = {
    usageToday: () => ({
      ...zeroUsage,
      tokens: sum(({ usage }) => usage.input - usage.cached + usage.output),
      cost: sum(({ cost }) => cost ?? 0),
    }),
    usageOfRun: () => ({ ...zeroUsage, cost: sum(({ cost }) => cost ?? 0) }),
    record: (_, usage, cost) => void spent.push({ usage, cost }),
  };
  return { ledger, spent };
}

function tool(name: string, call: BoundTool['call']): BoundTool {
  return { name, description: `It is ${name}.`, input: z.object({ path: z.string() }), call };
}

function found(text: string, images: ToolResult['images'] = []): ToolOutcome {
  return { kind: 'result', result: { text, images, value: { errors: [] } } };
}

const look = tool('look', async () => found('a note'));

function asked(name: string, input: unknown = {}, id = name): ChatCall {
  return { id, toolName: name, input, isInvalid: false };
}

const looking: Answer = () => ({ calls: [asked('look')] });
const lookingAt =
  (path: string): Answer =>
  () => ({ calls: [asked('look', { path })] });
const done: Answer = () => ({ text: 'Done.' });

/** The tool results that a step receives. */
function lastResults({ messages }: ChatRequest) {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.results : [];
}

describe('a conversation', () => {
  it('runs until the model makes no more calls, and returns its last text', async () => {
    const { conversation, requests } = converse([
      lookingAt('a.md'),
      lookingAt('b.md'),
      () => ({ text: '\nFiled.\n' }),
    ]);
    conversation.addUserMessage({ text: 'File this.', images: [] });
    expect(await conversation.runUntilDone()).toEqual({ kind: 'finished', text: 'Filed.', calls: [] });
    expect(requests).toHaveLength(3);
  });

  it('tells the model that the run is over only when it is closed', async () => {
    const { conversation, closed } = converse([lookingAt('a.md'), () => ({ text: 'Filed.' })]);
    conversation.addUserMessage({ text: 'File this.', images: [] });
    await conversation.runUntilDone();
    expect(closed()).toBe(0);
    conversation.close();
    expect(closed()).toBe(1);
  });

  it('sends the instructions, the tools and all messages so far, in order', async () => {
    const rawMessages = { opaque: Symbol('as it came') };
    const { conversation, requests } = converse([
      () => ({ rawMessages, calls: [asked('look', { path: 'a.md' }, 'call-1')] }),
      done,
      done,
    ]);
    const image = { path: 'vault/a.png', mediaType: 'image/png', data: Buffer.from('a') };
    const opening = [
      { text: 'The vault.', images: [image] },
      { text: 'File this.', images: [] },
    ];
    conversation.addUserMessage(...opening);
    await conversation.runUntilDone();
    conversation.addUserMessage({ text: 'Go on.', images: [] });
    await conversation.runUntilDone();

    const user = { role: 'user', content: opening };
    const structured = expect.any(Function);
    const results = [{ id: 'call-1', tool: 'look', kind: 'result', text: 'a note', images: [], structured }];
    expect(requests.map(({ messages }) => messages)).toEqual([
      [user],
      [user, { role: 'assistant', rawMessages }, { role: 'tool', results }],
      [
        user,
        { role: 'assistant', rawMessages },
        { role: 'tool', results },
        { role: 'assistant', rawMessages: null },
        { role: 'user', content: [{ text: 'Go on.', images: [] }] },
      ],
    ]);
    for (const { instructions, tools } of requests)
      expect({ instructions, tools }).toEqual({ instructions: 'Keep notes.', tools: [look] });
  });

  it('ends when the callback returns true, and sends the results of the last calls if it is continued', async () => {
    const { conversation, requests } = converse([
      looking,
      () => ({ text: 'Here.', calls: [asked('look'), asked('show')] }),
      done,
    ]);
    const steps: string[][] = [];
    const turn = await conversation.runUntilDone((calls) => {
      steps.push(calls.map(({ tool: name }) => name));
      return calls.some(({ tool: name }) => name === 'show');
    });
    expect(steps).toEqual([['look'], ['look', 'show']]);
    expect(turn).toMatchObject({
      kind: 'finished',
      text: 'Here.',
      calls: [{ tool: 'look' }, { tool: 'show' }],
    });
    expect(requests).toHaveLength(2);
    await conversation.runUntilDone();
    expect(requests[2] && lastResults(requests[2])).toMatchObject([{ tool: 'look' }, { tool: 'show' }]);
  });
});

describe('tool calls', () => {
  it("run one after another in the model's order and are answered in that order", async () => {
    const happened: string[] = [];
    const slowly = tool('read', async (input) => {
      const { path } = input as { path: string };
      happened.push(`${path} begins`);
      await new Promise(setImmediate);
      happened.push(`${path} ends`);
      return found(`text of ${path}`);
    });
    const { conversation, requests } = converse(
      [() => ({ calls: ['b', 'a', 'c'].map((path) => asked('read', { path }, `call-${path}`)) }), done],
      { tools: [look, slowly] },
    );
    await conversation.runUntilDone();
    expect(happened).toEqual(['b begins', 'b ends', 'a begins', 'a ends', 'c begins', 'c ends']);
    expect(requests[1] && lastResults(requests[1])).toMatchObject([
      { id: 'call-b', text: 'text of b' },
      { id: 'call-a', text: 'text of a' },
      { id: 'call-c', text: 'text of c' },
    ]);
  });

  it('return the images of a result to the model', async () => {
    const images = [{ path: 'vault/a.png', mediaType: 'image/png', data: Buffer.from('a') }];
    const { conversation, requests } = converse([looking, done], {
      tools: [tool('look', async () => found('[image vault/a.png]', images))],
    });
    await conversation.runUntilDone();
    expect(requests[1] && lastResults(requests[1])).toMatchObject([{ kind: 'result', images }]);
  });

  it('that cannot be executed are refused with a message to the model, and the others are executed', async () => {
    const inputs: unknown[] = [];
    const read = tool('read', async (input) => {
      inputs.push(input);
      return input === 'wrong' ? { kind: 'refused', message: 'error: read: wrong' } : found('text');
    });
    const { conversation, requests, events } = converse(
      [
        () => ({
          calls: [
            asked('destroy'),
            // The AI SDK may mark a call to an unknown tool as invalid, too.
            { ...asked('remove'), isInvalid: true },
            { ...asked('read', '{"path": '), isInvalid: true },
            asked('read', 'wrong'),
            asked('read', 'right'),
          ],
        }),
        done,
      ],
      { tools: [look, read] },
    );
    await conversation.runUntilDone();
    const problems = [
      'error: unknown tool destroy; available tools: look, read',
      'error: unknown tool remove; available tools: look, read',
      'error: the input of read is not valid JSON; call it again with valid JSON',
      'error: read: wrong',
    ];
    expect(inputs).toEqual(['wrong', 'right']);
    expect(requests[1] && lastResults(requests[1])).toMatchObject([
      ...problems.map((text) => ({ kind: 'refused', text })),
      { kind: 'result', text: 'text' },
    ]);
    const finished = events.filter(({ type }) => type === 'tool-finished');
    expect(finished.map((event) => 'problem' in event && event.problem)).toEqual([...problems, null]);
  });
});

describe('a limit', () => {
  const usage = { input: 900, cached: 500, written: 0, output: 100 };
  const cases: [string, Options, string][] = [
    ['steps', { limits: { steps: 3 } }, 'reached the limit of 3 steps'],
    ['uncached tokens', { limits: { tokens: 1500 } }, 'reached the limit of 1500 tokens'],
    ['minutes', { limits: { minutes: 3 } }, 'reached the limit of 3 minutes'],
    [
      'daily tokens',
      { limits: { dailyTokens: 1500 } },
      "reached today's limit of 1500 tokens (no prices are configured)",
    ],
    [
      'daily cost',
      { limits: { dailyCost: 2.9 }, prices: { input: 2000, output: 2000, cachedInput: 0 } },
      "reached today's cost limit of 2.9",
    ],
    [
      'the cost of a run',
      { limits: { cost: 2.9 }, prices: { input: 2000, output: 2000, cachedInput: 0 } },
      'reached the cost limit (3.00 of 2.9)',
    ],
  ];
  it.each(cases)('on %s stops the run before the next step', async (_what, options, reason) => {
    let minutes = 0;
    let calls = 0;
    const { conversation, requests } = converse(
      Array.from({ length: 10 }, (_, index) => () => {
        minutes += 1;
        return { calls: [asked('look', { path: `${index}.md` })], usage };
      }),
      {
        ...options,
        elapsed: () => minutes * 60_000,
        tools: [tool('look', async () => ((calls += 1), found('a note')))],
      },
    );
    expect(await conversation.runUntilDone()).toMatchObject({ kind: 'stopped', reason: { text: reason } });
    // Each limit is reached in the third step, whose calls are still executed.
    expect(requests).toHaveLength(3);
    expect(calls).toBe(3);
    // It stays reached after another message.
    conversation.addUserMessage({ text: 'Go on.', images: [] });
    expect(await conversation.runUntilDone()).toMatchObject({ kind: 'stopped', reason: { text: reason } });
    expect(requests).toHaveLength(3);
  });

  it('on daily tokens may be reached before the first step', async () => {
    const { conversation, requests } = converse([done], { limits: { dailyTokens: 0 } });
    expect(await conversation.runUntilDone()).toMatchObject({ kind: 'stopped' });
    expect(requests).toEqual([]);
  });

  it('on daily tokens is ignored if prices are configured', async () => {
    const options = { limits: { dailyTokens: 0, dailyCost: null }, prices: { input: 1, output: 1 } };
    expect(await converse([done], options).conversation.runUntilDone()).toMatchObject({ kind: 'finished' });
  });

  it('on minutes also aborts a running step', async () => {
    // Half a second, so that the step has begun on a busy machine, too.
    const minutes = 1 / 120;
    const { conversation, requests, spent } = converse([untilAborted], { limits: { minutes } });
    expect(await conversation.runUntilDone()).toMatchObject({
      kind: 'stopped',
      reason: { text: `reached the limit of ${minutes} minutes` },
    });
    expect(requests).toHaveLength(1);
    expect(spent).toEqual([]);
  });
});

/** A step that only ends when it is aborted. */
function untilAborted({ signal }: ChatRequest): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted, as a model library words it')));
  });
}

describe('a repeated call', () => {
  it('gets a note if the result is the same, and fails the run the third time', async () => {
    const { conversation, requests } = converse([looking, looking, looking, done]);
    await expect(conversation.runUntilDone()).rejects.toThrow(
      'scripted/model repeated the same call to look',
    );
    expect(requests).toHaveLength(3);
    const shown = requests.map((request) => lastResults(request).map(({ text }) => text));
    expect(shown).toEqual([
      [],
      ['a note'],
      [expect.stringMatching(/^a note\n\nnote: you already made this call/)],
    ]);
  });

  it('with another result or input counts as a new call', async () => {
    let count = 0;
    const tools = [
      tool('look', async () => found(`a note, ${(count += 1)}`)),
      tool('find', async () => found('it')),
    ];
    const find =
      (path: string): Answer =>
      () => ({ calls: [asked('find', { path })] });
    const answers = [looking, looking, looking, find('a'), find('b'), find('c'), done];
    const { conversation, requests } = converse(answers, { tools });
    expect(await conversation.runUntilDone()).toMatchObject({ kind: 'finished', text: 'Done.' });
    expect(JSON.stringify(requests.map(lastResults))).not.toContain('before');
  });
});

describe('an abort signal', () => {
  it('that is already aborted prevents the first step', async () => {
    const { conversation, requests } = converse([done], { signal: AbortSignal.abort(new Error('enough')) });
    await expect(conversation.runUntilDone()).rejects.toThrow('enough');
    expect(requests).toEqual([]);
  });

  it('aborts the current step, and its reason is thrown', async () => {
    const stopping = new AbortController();
    const { conversation, spent } = converse(
      [
        (request) => {
          const step = untilAborted(request);
          stopping.abort(new Error('enough'));
          return step;
        },
      ],
      { signal: stopping.signal },
    );
    await expect(conversation.runUntilDone()).rejects.toThrow('enough');
    expect(spent).toEqual([]);
  });

  it.each([
    ['while the model answers', 0],
    ['in a call', 1],
    ['in the last call', 2],
  ])('aborted %s prevents further calls and steps', async (_when, at) => {
    const stopping = new AbortController();
    let calls = 0;
    const stopAt = (moment: number): void => {
      if (moment === at) stopping.abort(new Error('enough'));
    };
    const { conversation, requests, spent } = converse(
      [() => (stopAt(0), { calls: [asked('look'), asked('look')] }), done],
      {
        signal: stopping.signal,
        tools: [tool('look', async () => (stopAt((calls += 1)), found('a note')))],
      },
    );
    await expect(conversation.runUntilDone()).rejects.toThrow('enough');
    expect(calls).toBe(at);
    expect(requests).toHaveLength(1);
    // The step itself was made and counts as usage.
    expect(spent).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('of a step is thrown unchanged, and no tool is called', async () => {
    const failure = new ModelError('unavailable', 'busy');
    const { conversation, requests, spent, events } = converse([
      () => {
        throw failure;
      },
      looking,
    ]);
    await expect(conversation.runUntilDone()).rejects.toBe(failure);
    expect({ steps: requests.length, spent, events }).toEqual({ steps: 1, spent: [], events: [] });
  });

  it('of a tool is thrown unchanged, and no further tool is called', async () => {
    const failure = new Error('the disk is gone');
    let looks = 0;
    const tools = [
      tool('break', async () => {
        throw failure;
      }),
      tool('look', async () => ((looks += 1), found('a note'))),
    ];
    const { conversation, requests } = converse([() => ({ calls: [asked('break'), asked('look')] }), done], {
      tools,
    });
    await expect(conversation.runUntilDone()).rejects.toBe(failure);
    expect({ steps: requests.length, looks }).toEqual({ steps: 1, looks: 0 });
  });
});

describe('usage', () => {
  const first = { input: 1000, cached: 400, written: 0, output: 50 };
  const second = { input: 2000, cached: 1000, written: 0, output: 10 };
  const answers: Answer[] = [
    () => ({ usage: first, calls: [asked('look', { path: 'a.md' }), asked('gone')] }),
    () => ({ usage: second, text: 'Done.' }),
  ];

  it('is recorded once per step, with its cost', async () => {
    const { conversation, spent } = converse(answers, {
      prices: { input: 1_000_000, output: 10_000_000, cachedInput: 100_000 },
    });
    await conversation.runUntilDone();
    expect(spent).toEqual([
      { usage: first, cost: 600 + 40 + 500 },
      { usage: second, cost: 1000 + 100 + 100 },
    ]);
  });

  it('has no cost without prices', async () => {
    const { conversation, spent } = converse(answers);
    await conversation.runUntilDone();
    expect(spent.map(({ cost }) => cost)).toEqual([null, null]);
  });

  it('is reported with all other events in order', async () => {
    const { conversation, events } = converse(answers);
    await conversation.runUntilDone();
    const run = 'run-1';
    expect(events).toEqual([
      { type: 'step-finished', run, step: 1, tokens: first },
      { type: 'spend-changed', tokens: 650, cost: null },
      { type: 'tool-called', run, tool: 'look', about: 'a.md' },
      { type: 'tool-finished', run, tool: 'look', problem: null },
      { type: 'tool-called', run, tool: 'gone', about: '' },
      {
        type: 'tool-finished',
        run,
        tool: 'gone',
        problem: 'error: unknown tool gone; available tools: look',
      },
      { type: 'step-finished', run, step: 2, tokens: second },
      { type: 'spend-changed', tokens: 1660, cost: null },
    ]);
  });

  it('is reported with the cost of the day if prices are configured', async () => {
    const { conversation, events } = converse(answers, { prices: { input: 1_000_000, output: 1_000_000 } });
    await conversation.runUntilDone();
    expect(events.filter(({ type }) => type === 'spend-changed')).toEqual([
      { type: 'spend-changed', tokens: 650, cost: 1050 },
      { type: 'spend-changed', tokens: 1660, cost: 1050 + 2010 },
    ]);
  });
});
