import type * as Sdk from 'ai';
import type { z } from 'zod';
import { formatReason } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import { toAiSdkMessages } from './ai-sdk-messages.ts';
import { toModelError, skipFutileRetries } from './ai-sdk.ts';
import type { ChatModel, ChatRequest, ChatStep, ChatTool } from './chat.ts';
import { ModelError } from './error.ts';
import { interpretText } from './interpret-text.ts';
import { cutAtWrittenCall } from './parse-written-calls.ts';
import type { Usage } from './run-limits.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import { stripPartialThinking } from './strip-thinking.ts';
import { toToolSchema } from './tool-schema.ts';

type Options = {
  name: string;
  /** Used in error messages, and to redact the API key from them. */
  endpoint: RemoteEndpoint;
  /** Whether the protocol supports images in tool results; otherwise they are sent in a separate message. */
  imagesInToolResults: boolean;
  /** Set if the SDK does not know the model's output limit and would assume too little. */
  maxOutputTokens?: number | undefined;
  /** Called before the first step. */
  open: () => Promise<SdkLanguageModel>;
};

/** A provider object, never a name: the SDK would resolve a name through a gateway. */
export type SdkLanguageModel = Exclude<Sdk.LanguageModel, string>;

/** A chat model based on any provider of the AI SDK. */
export function createAiSdkChatModel(options: Options): ChatModel {
  const { name, endpoint, open } = options;
  let languageModel: SdkLanguageModel | null = null;
  const shown = createShownTools();
  return {
    name,
    async step(request) {
      // Loaded on the first step, because the import takes a quarter of a second and most commands do not need it.
      const sdk = await import('ai');
      try {
        languageModel ??= sdk.wrapLanguageModel({
          model: await open(),
          middleware: skipFutileRetries(sdk, endpoint),
        });
        const model = languageModel;
        return await withSpan({ name: 'model', model: name }, async (work) => {
          const step = await streamStep(sdk, model, { ...options, shown }, request).catch(
            (error: unknown) => {
              // Some servers do not support a required tool call.
              if (request.toolChoice === undefined || !isRejected(sdk, endpoint, error)) throw error;
              return streamStep(sdk, model, { ...options, shown }, { ...request, toolChoice: undefined });
            },
          );
          [work.inputTokens, work.outputTokens] = [step.usage.input, step.usage.output];
          return step;
        });
      } catch (error) {
        request.signal.throwIfAborted();
        throw toModelError(sdk, endpoint, error);
      }
    },
  };
}

function isRejected(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): boolean {
  return toModelError(sdk, endpoint, error).code === 'rejected';
}

/** Asks the server only: the SDK itself would reject an answer without a call, also one with a call written as text. */
function requireToolCall(sdk: typeof Sdk, model: SdkLanguageModel): SdkLanguageModel {
  const transformParams: Sdk.LanguageModelMiddleware['transformParams'] = async ({ params }) => ({
    ...params,
    toolChoice: { type: 'required' },
  });
  return sdk.wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', transformParams } });
}

/** Marks a cache breakpoint for Anthropic; other providers cache automatically. */
const cacheBreakpoint = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Whether a message of an agent describes the vault: one for overview and profile, one for the file list. */
function isContext({ role }: Sdk.ModelMessage, index: number): boolean {
  return index < 2 && role === 'user';
}

async function streamStep(
  sdk: typeof Sdk,
  languageModel: SdkLanguageModel,
  { name, imagesInToolResults, maxOutputTokens, shown }: Options & { shown: ToSdkTool },
  request: ChatRequest,
): Promise<ChatStep> {
  const { instructions, messages, tools, toolChoice, signal, onText } = request;
  const sent = toAiSdkMessages(messages, imagesInToolResults);
  const result = sdk.streamText({
    model: toolChoice === undefined ? languageModel : requireToolCall(sdk, languageModel),
    instructions: { role: 'system', content: instructions, providerOptions: cacheBreakpoint },
    messages: sent.map((message, index) =>
      // The first two messages are the same in most runs, and the last one is sent again in the next step. With the
      // instructions, these are the four breakpoints that Anthropic allows.
      isContext(message, index) || index === sent.length - 1
        ? { ...message, providerOptions: cacheBreakpoint }
        : message,
    ),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, shown(sdk, tool)])),
    toolOrder: tools.map((tool) => tool.name),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    abortSignal: signal,
    onError: () => undefined,
  });
  let written = '';
  for await (const part of result.stream) {
    if (part.type === 'text-delta') onText?.(cutAtWrittenCall(stripPartialThinking((written += part.text))));
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw signal.reason;
  }
  if (wasInterrupted(await result.finishReason, await result.rawFinishReason))
    throw new ModelError('unreachable', formatReason('broke-off', { model: name }), {
      hint: 'try again later',
    });
  const [text, calls, responseMessages, usage] = await Promise.all([
    result.text,
    result.toolCalls,
    result.responseMessages,
    result.usage,
  ]);
  const response = {
    text,
    calls: calls.map(({ toolCallId: id, toolName, input, error }: SdkToolCall) => ({
      id,
      toolName,
      input,
      isInvalid: error !== undefined,
    })),
    // The SDK adds results for calls it could not parse; the caller writes its own.
    rawMessages: responseMessages.filter((message) => message.role === 'assistant'),
  };
  return { ...interpretText(response, request), usage: toUsage(usage, sent, text) };
}

/** Providers without a specific finish reason report `other` and no raw reason. */
function wasInterrupted(reason: Sdk.FinishReason, raw: string | undefined): boolean {
  return reason === 'interrupted' || (reason === 'other' && raw === undefined);
}

type SdkToolCall = { toolCallId: string; toolName: string; input: unknown; error?: unknown };

type ToSdkTool = (sdk: typeof Sdk, tool: ChatTool) => Sdk.Tool;

/**
 * Creates tools without validation or execution, which the caller does. Each schema is converted once instead of in
 * every step.
 */
function createShownTools(): ToSdkTool {
  const schemas = new WeakMap<z.ZodType, Sdk.JSONSchema7>();
  return (sdk, { description, input }) => {
    const known = schemas.get(input);
    const schema = known ?? (toToolSchema(input) as Sdk.JSONSchema7);
    if (known === undefined) schemas.set(input, schema);
    return sdk.tool({ description, inputSchema: sdk.jsonSchema(schema) });
  };
}

/** Estimates the usage if the server does not report it. */
function toUsage(usage: Sdk.LanguageModelUsage, sent: Sdk.ModelMessage[], text: string): Usage {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  return {
    input: inputTokens ?? Math.ceil(JSON.stringify(sent).length / 4),
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    written: inputTokenDetails.cacheWriteTokens ?? 0,
    output: outputTokens ?? Math.ceil(text.length / 4),
  };
}
