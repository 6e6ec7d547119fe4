import { createFairQueue, formatReason } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import { withAbort } from './abortable.ts';
import type { ChatMessage, ChatModel, ChatRequest, ChatStep } from './chat.ts';
import { ModelError } from './error.ts';
import { timeoutError } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

export type ProgramAnswer = Omit<ChatStep, 'rawMessages'>;

export function createEmptyAnswer(): ProgramAnswer {
  return { text: '', calls: [], usage: { input: 0, cached: 0, written: 0, output: 0 } };
}

/** Reports of a running program. An answer may arrive before it is asked for. */
export type ProgramEvents = {
  onAnswer(answer: ProgramAnswer): void;
  /** The text of the current answer so far. */
  onText(text: string): void;
  /** Called whenever the program shows that it is alive. */
  onActivity(): void;
  /** The program has failed and is closed after this. */
  onFailure(error: ModelError): void;
};

/** A running program that holds its tool calls until they are answered. */
export type ProgramSession = {
  /** Sends the messages since the last answer: results of its calls, messages of the user, or both. */
  send: (messages: readonly ChatMessage[]) => void;
  close: () => void;
};

type Options = {
  name: string;
  endpoint: RemoteEndpoint;
  /** The longest silence of the program. */
  timeoutSeconds: number;
  start: (request: ChatRequest, events: ProgramEvents) => Promise<ProgramSession>;
};

/**
 * A chat model that is the loop of another program. The program keeps the conversation, so a step sends only what is
 * new, and `close` ends the program.
 */
export function createProgramChatModel(options: Options): ChatModel {
  const { name, endpoint } = options;
  let current: Run | null = null;
  const close = (): void => {
    current?.end();
    current = null;
  };
  const step = async (request: ChatRequest): Promise<ChatStep> => {
    const answered = request.messages.findLastIndex(({ role }) => role === 'assistant');
    const last = request.messages[answered];
    if (last === undefined) {
      close();
      current = await startRun(options, request);
    } else if (last.role !== 'assistant' || current === null || last.rawMessages !== current.id)
      throw endedError(name);
    const { id, send, next } = current;
    send(request.messages.slice(answered + 1));
    return { ...(await next(request)), rawMessages: id };
  };
  return {
    name,
    close,
    step: (request) =>
      withSpan({ name: 'model', model: name }, async (work) => {
        try {
          const answer = await step(request);
          [work.inputTokens, work.outputTokens] = [answer.usage.input, answer.usage.output];
          return answer;
        } catch (error) {
          close();
          request.signal.throwIfAborted();
          throw error instanceof DOMException && error.name === 'TimeoutError'
            ? timeoutError(endpoint, error)
            : error;
        }
      }),
  };
}

/** The error for a program that ended in the middle of a run. */
function endedError(name: string, problem = ''): ModelError {
  return new ModelError('unreachable', formatReason('broke-off', { model: name }), {
    hint: problem === '' ? 'try again later' : `try again later (${problem})`,
  });
}

/** The error for a program that could not be run. */
export function notRunningError(file: string, problem: string): ModelError {
  return new ModelError('unreachable', formatReason('unreachable', { address: file, problem }), {
    hint: 'check that the program works',
  });
}

/** The error for a process that ended by itself or could not be started. */
export function exitError(name: string, { file }: { file: string }, problem: string): ModelError {
  return /^E[A-Z]+$/.test(problem) ? notRunningError(file, problem) : endedError(name, problem);
}

type Run = {
  /** Identifies the run in messages. */
  id: object;
  send: ProgramSession['send'];
  next: (request: ChatRequest) => Promise<ProgramAnswer>;
  end: () => void;
};

/**
 * One program runs at a time in this process, for all vaults: each one uses a lot of memory, and their limits belong to
 * one account.
 */
const runAlone = createFairQueue();

async function startRun({ name, timeoutSeconds, start }: Options, request: ChatRequest): Promise<Run> {
  const release = await acquireSlot(name, request.signal);
  const answers: (ProgramAnswer | ModelError)[] = [];
  let wake = (): void => undefined;
  let onText: ChatRequest['onText'];
  let onActivity = (): void => undefined;
  const add = (answer: ProgramAnswer | ModelError): void => {
    answers.push(answer);
    wake();
  };
  const events: ProgramEvents = {
    onAnswer: add,
    onFailure: add,
    onText: (text) => onText?.(text),
    onActivity: () => onActivity(),
  };
  const waitForAnswer = async (signal: AbortSignal): Promise<ProgramAnswer> => {
    const silence = new AbortController();
    const timer = setTimeout(() => {
      silence.abort(new DOMException(`no data received for ${timeoutSeconds} seconds`, 'TimeoutError'));
    }, timeoutSeconds * 1_000);
    onActivity = () => void timer.refresh();
    try {
      while (answers.length === 0)
        await withAbort(
          AbortSignal.any([signal, silence.signal]),
          () => new Promise<void>((resolve) => (wake = resolve)),
        );
    } finally {
      clearTimeout(timer);
    }
    const answer = answers.shift();
    if (answer === undefined || answer instanceof ModelError) throw answer ?? endedError(name);
    return answer;
  };
  try {
    const session = await start(request, events);
    return {
      id: {},
      send: (messages) => session.send(messages),
      async next({ signal, onText: showText }) {
        onText = showText;
        try {
          return await waitForAnswer(signal);
        } finally {
          onText = undefined;
        }
      },
      end() {
        try {
          session.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Waits until no other program runs; returns a function that lets the next one start. */
async function acquireSlot(name: string, signal: AbortSignal): Promise<() => void> {
  const { promise: over, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
  runAlone(
    name,
    () => {
      begin();
      return over;
    },
    signal,
  ).catch(reject);
  await begun;
  return release;
}
