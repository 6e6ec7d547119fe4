import { z } from 'zod';
import type { ChatContent, ChatRequest, ChatStep } from './chat.ts';
import { ModelError } from './error.ts';
import type { Usage } from './run-limits.ts';
import type { RemoteChatModel } from './providers.ts';
import { timeoutError } from './remote-endpoint.ts';

/** The result of testing a model with a small request. */
export type ModelTestResult = {
  /** The text of the reply, or the tool call if there is no text. */
  reply: string;
  milliseconds: number;
  /** Whether the model called the requested tool. */
  callsTools: boolean;
  /** Null if the model recognized the image; otherwise the reason why it is assumed not to support images. */
  blindBecause: string | null;
  usage: Usage;
};

/** A local model may take a long time to load. */
const defaultTestTimeoutMs = 60_000;

/**
 * Asks the model to report the colors of a small image with a tool: one request, and a second without the image if
 * the first was rejected. Throws a `ModelError` if the model does not answer in time.
 */
export async function testModel(
  model: RemoteChatModel,
  signal: AbortSignal,
  clock = () => performance.now(),
  timeoutMs = defaultTestTimeoutMs,
): Promise<ModelTestResult> {
  const late = AbortSignal.timeout(timeoutMs);
  const started = clock();
  const ask = async (content: ChatContent): Promise<ChatStep> =>
    model.step(request(content, AbortSignal.any([signal, late])));
  try {
    const { step, blindBecause } = await ask(withImage).then(
      (answer) => ({
        step: answer,
        blindBecause: recognizedImage(answer) ? null : 'it did not recognize the image',
      }),
      async (error: unknown) => {
        if (!mayBeCausedByImage(error)) throw error;
        return { step: await ask(withoutImage), blindBecause: error.message };
      },
    );
    return { ...toReply(step), milliseconds: clock() - started, blindBecause, usage: step.usage };
  } catch (error) {
    throw late.aborted && !signal.aborted ? timeoutError(model.endpoint, error) : error;
  } finally {
    model.close?.();
  }
}

const reportInput = z.object({
  left: z.string().describe('The color of the left half, as one English word'),
  right: z.string().describe('The color of the right half, as one English word'),
});

const tool = { name: 'report', description: 'Report two colors.', input: reportInput };

/** The left half is yellow and the right half blue, which is unlikely to be guessed. */
const image = {
  path: 'test.png',
  mediaType: 'image/png',
  data: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAABlBMVEX/3AAAPNzxMGdbAAAAGElEQVR42mNgYGBg+P///3+GUcYog3QGAPTk/wGUWZIiAAAAAElFTkSuQmCC',
    'base64',
  ),
};

const withImage = { text: 'The halves of this image have two colors. Report them.', images: [image] };
const withoutImage = { text: 'The left half is yellow, the right half is blue. Report them.', images: [] };

function request(content: ChatContent, signal: AbortSignal): ChatRequest {
  return {
    instructions: 'Connection test. Call the tool report once and write nothing else.',
    messages: [{ role: 'user', content: [content] }],
    tools: [tool],
    signal,
  };
}

function mayBeCausedByImage(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  return error.code === 'rejected' || /image|vision|modal/i.test(error.message);
}

function recognizedImage({ text, calls }: ChatStep): boolean {
  const report = reportInput.safeParse(calls[0]?.input).data;
  const reported = report === undefined ? text : `${report.left}, ${report.right}`;
  return /yellow.*blue/is.test(reported);
}

function toReply({ text, calls }: ChatStep): Pick<ModelTestResult, 'reply' | 'callsTools'> {
  const [call] = calls;
  const callsTools =
    call !== undefined && call.toolName === tool.name && reportInput.safeParse(call.input).success;
  const callText = call === undefined ? '' : `${call.toolName} ${JSON.stringify(call.input)}`;
  return { reply: text.trim() === '' ? callText : text.trim(), callsTools };
}
