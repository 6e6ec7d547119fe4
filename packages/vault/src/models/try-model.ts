import { z } from 'zod';
import type { ChatContent, ChatRequest, ChatStep } from './chat.ts';
import { ModelError } from './error.ts';
import type { Usage } from './limits.ts';
import type { RemoteChatModel } from './providers.ts';
import { silenceError } from './remote-endpoint.ts';

/** What a model did with a small question. */
export type Trial = {
  /** What it said, else the call it made. */
  reply: string;
  milliseconds: number;
  /** Whether it called the tool that it was asked to call. */
  callsTools: boolean;
  /** Null when it saw what is in an image, else why it is thought not to see any. */
  blindBecause: string | null;
  usage: Usage;
};

/** A model that lies on a disk may take long to load. */
const longest = 60_000;

/**
 * Asks a model for the colours of a small image, to be told with a tool: one call, and a second one without the image where
 * the first was rejected. Throws a `ModelError` when it does not answer in time.
 */
export async function tryModel(
  model: RemoteChatModel,
  signal: AbortSignal,
  clock = () => performance.now(),
  patience = longest,
): Promise<Trial> {
  const late = AbortSignal.timeout(patience);
  const started = clock();
  const ask = async (content: ChatContent): Promise<ChatStep> =>
    model.step(request(content, AbortSignal.any([signal, late])));
  try {
    const { step, blindBecause } = await ask(withImage).then(
      (answer) => ({ step: answer, blindBecause: sees(answer) ? null : 'it did not see what is in one' }),
      async (error: unknown) => {
        if (!mayBeTheImage(error)) throw error;
        return { step: await ask(withoutImage), blindBecause: error.message };
      },
    );
    return { ...toldBy(step), milliseconds: clock() - started, blindBecause, usage: step.usage };
  } catch (error) {
    throw late.aborted && !signal.aborted ? silenceError(model.endpoint, error) : error;
  }
}

const reportInput = z.object({
  left: z.string().describe('The colour of the left half, in one English word'),
  right: z.string().describe('The colour of the right half, in one English word'),
});

const tool = { name: 'report', description: 'Reports two colours.', input: reportInput };

/** The left half is yellow, the right one blue: who does not see it will hardly guess. */
const image = {
  path: 'test.png',
  mediaType: 'image/png',
  data: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAABlBMVEX/3AAAPNzxMGdbAAAAGElEQVR42mNgYGBg+P///3+GUcYog3QGAPTk/wGUWZIiAAAAAElFTkSuQmCC',
    'base64',
  ),
};

const withImage = { text: 'The halves of this image have two colours. Report them.', images: [image] };
const withoutImage = { text: 'The left half is yellow, the right half is blue. Report them.', images: [] };

function request(content: ChatContent, signal: AbortSignal): ChatRequest {
  return {
    instructions: 'This is a test of the connection. Call the tool report once, and say nothing else.',
    messages: [{ role: 'user', contents: [content] }],
    tools: [tool],
    signal,
  };
}

function mayBeTheImage(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  return error.code === 'rejected' || /image|vision|modal/i.test(error.message);
}

function sees({ text, calls }: ChatStep): boolean {
  const report = reportInput.safeParse(calls[0]?.input).data;
  const told = report === undefined ? text : `${report.left}, ${report.right}`;
  return /yellow.*blue/is.test(told);
}

function toldBy({ text, calls }: ChatStep): Pick<Trial, 'reply' | 'callsTools'> {
  const [call] = calls;
  const callsTools =
    call !== undefined && call.tool === tool.name && reportInput.safeParse(call.input).success;
  const made = call === undefined ? '' : `${call.tool} ${JSON.stringify(call.input)}`;
  return { reply: text.trim() === '' ? made : text.trim(), callsTools };
}
