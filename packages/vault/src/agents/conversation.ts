import { otherReason } from '../contract/index.ts';
import type { Clock, EmitEvent, Reason } from '../contract/index.ts';
import { calculateCost, uncachedTokens, ModelError, findReachedLimit } from '../models/index.ts';
import type {
  ChatCall,
  ChatContent,
  ChatMessage,
  ChatModel,
  ChatStep,
  ChatToolResult,
  Ledger,
  RunLimits,
  Prices,
  Usage,
  RunUsage,
} from '../models/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { describeCall } from './bind-tools.ts';
import type { BoundTool } from './bind-tools.ts';

/** Dependencies and options of every agent. */
export type AgentOptions = {
  model: ChatModel;
  prices: Prices | null;
  limits: RunLimits;
  ledger: Ledger;
  emit: EmitEvent;
  clock: Clock;
};

export type ExecutedCall = { tool: string; input: unknown; outcome: ToolOutcome };

/** The text and calls of the model's last step, or the limit that stopped it. */
type TurnResult =
  | { kind: 'finished'; text: string; calls: ExecutedCall[] }
  | { kind: 'stopped'; reason: Reason };

export type Conversation = {
  /** Adds a user message. */
  addUserMessage(...content: ChatContent[]): void;
  /** Runs the model until it makes no more calls, or until `isOver` returns true for the calls and text of a step. */
  runUntilDone(
    isOver?: (calls: readonly ExecutedCall[], text: string) => boolean | Promise<boolean>,
  ): Promise<TurnResult>;
  /** Tells the model that the run is over. Must be called in every case. */
  close(): void;
};

type ConversationOptions = AgentOptions & {
  /** Id of the update or question, for events. */
  run: string;
  instructions: string;
  tools: readonly BoundTool[];
  signal: AbortSignal;
  /** Makes the model call a tool in its first step. */
  firstToolChoice?: 'required' | undefined;
  /** Called with the text that the model has written so far in a step. */
  onText?: ((text: string) => void) | undefined;
  /** A monotonic clock in milliseconds, for durations. */
  monotonicNow?: Clock;
};

/**
 * Runs the model step by step and checks every limit before each step. Throws if the model fails, if it keeps
 * repeating the same call, or if the signal is aborted; the caller then discards what the tools have staged.
 */
export function createConversation(parts: ConversationOptions): Conversation {
  const { limits, prices, ledger, monotonicNow = () => performance.now(), signal } = parts;
  const messages: ChatMessage[] = [];
  const startedAt = monotonicNow();
  const used: RunUsage = { steps: 0, tokens: 0, milliseconds: 0, cost: 0 };
  const repeated = createLoopDetector(parts.model.name);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs(limits))]);

  return {
    addUserMessage(...content) {
      messages.push({ role: 'user', content });
    },
    async runUntilDone(isOver = () => false) {
      for (;;) {
        used.milliseconds = monotonicNow() - startedAt;
        used.cost = ledger.usageOfRun(parts.run)?.cost ?? 0;
        const reason = findReachedLimit(limits, used, ledger.usageToday(), prices !== null);
        if (reason !== null) return { kind: 'stopped', reason };
        signal.throwIfAborted();
        const step = await runStep(parts, messages, deadline);
        if (step === null)
          return { kind: 'stopped', reason: otherReason(`reached the limit of ${limits.minutes} minutes`) };
        recordUsage(parts, used, step.usage);
        messages.push({ role: 'assistant', rawMessages: step.rawMessages });
        const calls: ExecutedCall[] = [];
        const results: ChatToolResult[] = [];
        for (const call of step.calls) {
          signal.throwIfAborted();
          const outcome = await executeCall(parts, call);
          calls.push({ tool: call.toolName, input: call.input, outcome });
          results.push(repeated(call, toToolResult(call, outcome), used.steps));
        }
        if (calls.length > 0) messages.push({ role: 'tool', results });
        const text = step.text.trim();
        if (calls.length === 0 || (await isOver(calls, text))) return { kind: 'finished', text, calls };
      }
    },
    close: () => parts.model.close?.(),
  };
}

/** The time limit in milliseconds, capped at the maximum delay of a timer. */
function timeoutMs({ minutes }: RunLimits): number {
  return Math.min(2 ** 31 - 1, Math.ceil(minutes * 60_000));
}

/** Null if the time limit was reached before the model finished. */
async function runStep(
  { model, instructions, tools, firstToolChoice, signal, onText }: ConversationOptions,
  messages: readonly ChatMessage[],
  deadline: AbortSignal,
): Promise<ChatStep | null> {
  const isFirst = messages.every(({ role }) => role === 'user');
  const toolChoice = isFirst ? firstToolChoice : undefined;
  try {
    return await model.step({
      instructions,
      messages: [...messages],
      tools,
      toolChoice,
      signal: deadline,
      onText,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    return null;
  }
}

/** Adds the usage of a step to the run and to the day. */
function recordUsage({ prices, ledger, emit, run }: ConversationOptions, used: RunUsage, usage: Usage): void {
  used.steps += 1;
  used.tokens += uncachedTokens(usage);
  const cost = calculateCost(usage, prices);
  ledger.record(run, usage, cost);
  emit({ type: 'step-finished', run, step: used.steps, tokens: usage });
  const today = ledger.usageToday();
  emit({ type: 'spend-changed', tokens: today.tokens, cost: cost === null ? null : today.cost });
}

async function executeCall(
  { tools, emit, run }: ConversationOptions,
  { toolName, input, isInvalid }: ChatCall,
): Promise<ToolOutcome> {
  emit({ type: 'tool-called', run, tool: toolName, about: describeCall(input) });
  const known = tools.find(({ name }) => name === toolName);
  const outcome: ToolOutcome =
    known === undefined
      ? refusedOutcome(
          `unknown tool ${toolName}; available tools: ${tools.map(({ name }) => name).join(', ')}`,
        )
      : isInvalid
        ? refusedOutcome(`the input of ${toolName} is not valid JSON; call it again with valid JSON`)
        : await known.call(input);
  emit({ type: 'tool-finished', run, tool: toolName, problem: firstError(outcome) });
  return outcome;
}

function refusedOutcome(problem: string): ToolOutcome {
  return { kind: 'refused', message: `error: ${problem}` };
}

/** The first line of the error, or null. */
function firstError(outcome: ToolOutcome): string | null {
  if (outcome.kind === 'refused') return outcome.message.split('\n')[0] ?? '';
  return outcome.result.value.errors[0]?.message ?? null;
}

/** The result as sent to the model. */
function toToolResult({ id, toolName }: ChatCall, outcome: ToolOutcome): ChatToolResult {
  if (outcome.kind === 'refused') return { id, tool: toolName, kind: 'refused', text: outcome.message };
  const { text, images, value } = outcome.result;
  return { id, tool: toolName, kind: 'result', text, images, structured: () => value };
}

type LoopDetector = (call: ChatCall, result: ChatToolResult, step: number) => ChatToolResult;

/**
 * Adds a note to the result of a call that repeats an earlier call and its result. Throws if the model makes the call a
 * third time.
 */
function createLoopDetector(model: string): LoopDetector {
  const seen = new Map<string, { text: string; times: number; step: number }>();
  return ({ toolName, input }, result, step) => {
    const key = JSON.stringify([toolName, input]);
    const before = seen.get(key);
    const isAgain = before?.text === result.text;
    const times = isAgain ? before.times + Number(before.step !== step) : 1;
    seen.set(key, { text: result.text, times, step });
    if (times > 2)
      throw new ModelError('unfit', `${model} repeated the same call to ${toolName}`, {
        hint: 'choose a model that supports tool calling',
      });
    const hint = 'note: you already made this call with the same result; try something else or finish';
    return times === 1 ? result : { ...result, text: `${result.text}\n\n${hint}` };
  };
}
