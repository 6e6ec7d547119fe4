import type * as Sdk from 'ai';
import { z } from 'zod';
import type { Clock, Emit } from '../contract/index.ts';
import { costOf, explainModelFailure, ModelError, reachedLimit } from '../models/index.ts';
import type { AgentModel, Ledger, Limits, Prices, Usage, Used } from '../models/index.ts';
import type { ToolOutcome, ToolResult } from '../tools/index.ts';
import { describeCall } from './bind-tools.ts';
import type { BoundTool } from './bind-tools.ts';

/** What every agent needs to work. */
export type Setting = {
  model: AgentModel;
  prices: Prices | null;
  limits: Limits;
  ledger: Ledger;
  emit: Emit;
  clock: Clock;
};

/** A text, and images that go with it. */
export type Said = Pick<ToolResult, 'text' | 'images'>;

export type Called = { tool: string; input: unknown; outcome: ToolOutcome };

/** What the model wrote in its last step and what it called there; or why it was not let go on. */
export type Turn = { kind: 'ended'; text: string; calls: Called[] } | { kind: 'stopped'; reason: string };

export type Conversation = {
  say(...said: Said[]): void;
  /** Lets the model work until it calls nothing more, or until `isOver` says so of a step. */
  proceed(isOver?: (calls: readonly Called[]) => boolean): Promise<Turn>;
};

type Parts = Setting & {
  /** The update or question this is about, for events. */
  run: string;
  instructions: string;
  tools: readonly BoundTool[];
  signal: AbortSignal;
};

/** A model that is silent for so long will not answer any more. */
const patience = 120_000;

/**
 * A loop over single steps of the model, in which every bound is checked before the next step. A failing model throws;
 * so does a signal. What the tools did until then is for the caller to throw away.
 */
export function startConversation(parts: Parts): Conversation {
  const { model, tools, limits, prices, ledger, clock, emit, run } = parts;
  const messages: Sdk.ModelMessage[] = [];
  const startedAt = clock();
  const used: Used = { steps: 0, tokens: 0, milliseconds: 0 };
  const deadline = AbortSignal.any([parts.signal, AbortSignal.timeout(milliseconds(limits))]);

  let opened: Promise<Opened> | null = null;

  const account = (usage: Usage): void => {
    used.steps += 1;
    used.tokens += usage.input - usage.cached + usage.output;
    const cost = costOf(usage, prices);
    ledger.add(usage, cost ?? 0);
    emit({ type: 'step-finished', run, step: used.steps, tokens: usage });
    const today = ledger.today();
    emit({ type: 'spend-changed', tokens: today.tokens, cost: cost === null ? null : today.cost });
  };

  const call = async ({ toolName, input, error }: AskedCall): Promise<Called> => {
    emit({ type: 'tool-called', run, tool: toolName, about: describeCall(input) });
    const tool = tools.find(({ name }) => name === toolName);
    const outcome: ToolOutcome =
      tool === undefined
        ? refuse(`there is no tool ${toolName}; there are: ${tools.map(({ name }) => name).join(', ')}`)
        : error === undefined
          ? await tool.call(input)
          : refuse(`the input of ${toolName} is not JSON; call it again`);
    emit({ type: 'tool-finished', run, tool: toolName, problem: problemOf(outcome) });
    return { tool: toolName, input, outcome };
  };

  return {
    say(...said) {
      messages.push({ role: 'user', content: said.flatMap(userParts) });
    },
    async proceed(isOver = () => false) {
      for (;;) {
        used.milliseconds = clock() - startedAt;
        const reason = reachedLimit(limits, used, ledger.today(), prices !== null);
        if (reason !== null) return { kind: 'stopped', reason };
        let step: Step;
        try {
          step = await askModel(parts, await (opened ??= openModel(parts)), messages, deadline);
        } catch (error) {
          parts.signal.throwIfAborted();
          if (!deadline.aborted) throw error;
          return { kind: 'stopped', reason: `it took longer than ${limits.minutes} minutes` };
        }
        account(step.usage);
        messages.push(...step.said);
        const calls: Called[] = [];
        for (const asked of step.calls) {
          parts.signal.throwIfAborted();
          calls.push(await call(asked));
        }
        if (calls.length > 0) messages.push(...resultMessages(step.calls, calls, model.imagesInToolResults));
        if (calls.length === 0 || isOver(calls)) return { kind: 'ended', text: step.text.trim(), calls };
      }
    },
  };
}

/** As a timer can count them. */
function milliseconds({ minutes }: Limits): number {
  return Math.min(2 ** 31 - 1, Math.ceil(minutes * 60_000));
}

/** What stays the same from step to step. */
type Opened = { sdk: typeof Sdk; languageModel: Sdk.LanguageModel; shownTools: Sdk.ToolSet };

/** Loaded at the first step: it takes a quarter of a second, which most commands need not pay. */
async function openModel({ model, tools }: Parts): Promise<Opened> {
  const sdk = await import('ai');
  const shownTools = Object.fromEntries(tools.map((tool) => [tool.name, toolFor(sdk, tool)]));
  try {
    return { sdk, languageModel: await model.open(), shownTools };
  } catch (error) {
    throw explainModelFailure(sdk, model.endpoint, error);
  }
}

type AskedCall = { toolCallId: string; toolName: string; input: unknown; error?: unknown };
type Step = { text: string; said: Sdk.ModelMessage[]; calls: AskedCall[]; usage: Usage };

/** One step of the model, complete or not at all. */
async function askModel(
  { model, instructions, tools }: Parts,
  { sdk, languageModel, shownTools }: Opened,
  messages: Sdk.ModelMessage[],
  signal: AbortSignal,
): Promise<Step> {
  try {
    const result = sdk.streamText({
      model: languageModel,
      // A mark for the one provider that caches only what is marked; the others do by themselves.
      instructions: { role: 'system', content: instructions, providerOptions: cacheUpToHere },
      messages: messages.map((message, index) =>
        index === messages.length - 1 ? { ...message, providerOptions: cacheUpToHere } : message,
      ),
      tools: shownTools,
      toolOrder: tools.map(({ name }) => name),
      ...(model.maxOutputTokens !== undefined && { maxOutputTokens: model.maxOutputTokens }),
      abortSignal: signal,
      timeout: { firstChunkMs: patience, chunkMs: patience },
      onError: () => undefined,
    });
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw signal.reason ?? new Error(`silent for ${patience / 1000} seconds`);
    }
    if ((await result.finishReason) === 'other' && (await result.rawFinishReason) === undefined)
      throw new ModelError(
        'unreachable',
        `${model.name} broke off in the middle of its answer; try again later`,
      );
    const [text, calls, said, usage] = await Promise.all([
      result.text,
      result.toolCalls,
      result.responseMessages,
      result.usage,
    ]);
    return {
      text,
      calls,
      // Results of calls that could not even be made are ours to word.
      said: said.filter(({ role }) => role === 'assistant'),
      usage: usageOf(usage, messages, text),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw explainModelFailure(sdk, model.endpoint, error);
  }
}

const cacheUpToHere = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The schema is only shown: the tool itself checks its input, and words what is wrong so that a model can act on it. */
function toolFor(sdk: typeof Sdk, { description, input }: BoundTool): Sdk.Tool {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Sdk.JSONSchema7;
  return sdk.tool({ description, inputSchema: sdk.jsonSchema(schema) });
}

/** A server that does not count is counted for, roughly. */
function usageOf(usage: Sdk.LanguageModelUsage, messages: Sdk.ModelMessage[], text: string): Usage {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  return {
    input: inputTokens ?? Math.ceil(JSON.stringify(messages).length / 4),
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    output: outputTokens ?? Math.ceil(text.length / 4),
  };
}

function refuse(problem: string): ToolOutcome {
  return { kind: 'refused', message: `error: ${problem}` };
}

/** The first line of what went wrong, or null. */
function problemOf(outcome: ToolOutcome): string | null {
  if (outcome.kind === 'refused') return outcome.message.split('\n')[0] ?? '';
  return outcome.result.value.errors[0]?.message ?? null;
}

type UserPart = Sdk.TextPart | Sdk.FilePart;

function userParts({ text, images }: Said): UserPart[] {
  return [{ type: 'text', text }, ...images.map(imagePart)];
}

function imagePart({ mediaType, data }: Said['images'][number]): Sdk.FilePart {
  return { type: 'file', mediaType, data };
}

/** The results in the order of the calls, and after them the images that the protocol cannot carry there. */
function resultMessages(asked: AskedCall[], calls: Called[], imagesInResults: boolean): Sdk.ModelMessage[] {
  const apart: Said['images'] = [];
  const content = asked.map(({ toolCallId, toolName }, index): Sdk.ToolResultPart => {
    const outcome = calls[index]?.outcome ?? refuse('it was not called');
    const part = { type: 'tool-result' as const, toolCallId, toolName };
    if (outcome.kind === 'refused')
      return { ...part, output: { type: 'error-text', value: outcome.message } };
    const { text, images } = outcome.result;
    if (images.length === 0 || !imagesInResults) {
      apart.push(...images);
      return { ...part, output: { type: 'text', value: text } };
    }
    const files = images.map(({ mediaType, data }) => ({
      type: 'file' as const,
      mediaType,
      data: { type: 'data' as const, data },
    }));
    return { ...part, output: { type: 'content', value: [{ type: 'text', text }, ...files] } };
  });
  const results: Sdk.ModelMessage = { role: 'tool', content };
  if (apart.length === 0) return [results];
  const announced = `The images announced above, in this order: ${apart.map(({ path }) => path).join(', ')}`;
  return [results, { role: 'user', content: userParts({ text: announced, images: apart }) }];
}
