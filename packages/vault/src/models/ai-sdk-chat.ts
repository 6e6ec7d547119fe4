import type * as Sdk from 'ai';
import { z } from 'zod';
import { reasonFor } from '../contract/index.ts';
import { traced } from '../trace/index.ts';
import { aiSdkMessages } from './ai-sdk-messages.ts';
import { explainModelFailure, failAtOnce } from './ai-sdk.ts';
import type { ChatModel, ChatRequest, ChatStep, ChatTool } from './chat.ts';
import { ModelError } from './error.ts';
import type { Usage } from './limits.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type Options = {
  name: string;
  /** For messages about it, and so that its key can be kept out of them. */
  endpoint: RemoteEndpoint;
  /** Whether its protocol can carry images in the result of a tool; else they follow in a message of their own. */
  imagesInToolResults: boolean;
  /** Where a provider does not know how much a model may write, and would assume too little. */
  maxOutputTokens?: number | undefined;
  /** Called at the first step. */
  open: () => Promise<ProvidedModel>;
};

/** A provider object, never a name: a name would be looked up at a gateway. */
export type ProvidedModel = Exclude<Sdk.LanguageModel, string>;

/** Any model that the AI SDK has a provider for. */
export function createAiSdkChat(options: Options): ChatModel {
  const { name, endpoint, open } = options;
  let languageModel: Sdk.LanguageModel | null = null;
  const shown = createShownTools();
  return {
    name,
    async step(request) {
      // Loaded at the first step: it takes a quarter of a second, which most commands need not pay.
      const sdk = await import('ai');
      try {
        languageModel ??= sdk.wrapLanguageModel({
          model: await open(),
          middleware: failAtOnce(sdk, endpoint),
        });
        const model = languageModel;
        return await traced({ work: 'model', model: name }, async (work) => {
          const step = await takeStep(sdk, model, { ...options, shown }, request);
          [work.inputTokens, work.outputTokens] = [step.usage.input, step.usage.output];
          return step;
        });
      } catch (error) {
        request.signal.throwIfAborted();
        throw explainModelFailure(sdk, endpoint, error);
      }
    },
  };
}

/** A model that is silent for so long will not answer any more. */
const patience = 120_000;

/** A mark for the one provider that caches only what is marked; the others do by themselves. */
const cacheUpToHere = { anthropic: { cacheControl: { type: 'ephemeral' } } };

async function takeStep(
  sdk: typeof Sdk,
  languageModel: Sdk.LanguageModel,
  { name, imagesInToolResults, maxOutputTokens, shown }: Options & { shown: ShowTool },
  { instructions, messages, tools, signal, onText }: ChatRequest,
): Promise<ChatStep> {
  const sent = aiSdkMessages(messages, imagesInToolResults);
  const result = sdk.streamText({
    model: languageModel,
    instructions: { role: 'system', content: instructions, providerOptions: cacheUpToHere },
    messages: sent.map((message, index) =>
      // The first message is the same from run to run, the last one from step to step.
      index === 0 || index === sent.length - 1 ? { ...message, providerOptions: cacheUpToHere } : message,
    ),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, shown(sdk, tool)])),
    toolOrder: tools.map((tool) => tool.name),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    abortSignal: signal,
    timeout: { firstChunkMs: patience, chunkMs: patience },
    onError: () => undefined,
  });
  let written = '';
  for await (const part of result.stream) {
    if (part.type === 'text-delta') onText?.((written += part.text));
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw signal.reason ?? new Error(`silent for ${patience / 1000} seconds`);
  }
  if (isBrokenOff(await result.finishReason, await result.rawFinishReason))
    throw new ModelError('unreachable', reasonFor('broke-off', { model: name }), {
      mend: 'try again later',
    });
  const [text, calls, said, usage] = await Promise.all([
    result.text,
    result.toolCalls,
    result.responseMessages,
    result.usage,
  ]);
  return {
    text,
    calls: calls.map(({ toolCallId: id, toolName: tool, input, error }: AskedCall) => ({
      id,
      tool,
      input,
      isInvalid: error !== undefined,
    })),
    // Results of calls that could not even be made are for whoever calls the tools to word.
    said: said.filter(({ role }) => role === 'assistant'),
    usage: usageOf(usage, sent, text),
  };
}

/** Providers that have no word for it say that it ended for another reason, and name none. */
function isBrokenOff(reason: Sdk.FinishReason, raw: string | undefined): boolean {
  return reason === 'interrupted' || (reason === 'other' && raw === undefined);
}

type AskedCall = { toolCallId: string; toolName: string; input: unknown; error?: unknown };

type ShowTool = (sdk: typeof Sdk, tool: ChatTool) => Sdk.Tool;

/** Without anything that checks or executes it: whoever calls the tools does. Each schema is translated once, not at each step. */
function createShownTools(): ShowTool {
  const schemas = new WeakMap<z.ZodType, Sdk.JSONSchema7>();
  return (sdk, { description, input }) => {
    const known = schemas.get(input);
    const schema =
      known ?? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Sdk.JSONSchema7);
    if (known === undefined) schemas.set(input, schema);
    return sdk.tool({ description, inputSchema: sdk.jsonSchema(schema) });
  };
}

/** A server that does not count is counted for, roughly. */
function usageOf(usage: Sdk.LanguageModelUsage, sent: Sdk.ModelMessage[], text: string): Usage {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  return {
    input: inputTokens ?? Math.ceil(JSON.stringify(sent).length / 4),
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    written: inputTokenDetails.cacheWriteTokens ?? 0,
    output: outputTokens ?? Math.ceil(text.length / 4),
  };
}
