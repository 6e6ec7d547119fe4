import type { Clock, Emit } from '../contract/index.ts';
import { costOf, freshTokens, reachedLimit } from '../models/index.ts';
import type {
  ChatCall,
  ChatContent,
  ChatMessage,
  ChatModel,
  ChatStep,
  ChatToolResult,
  Ledger,
  Limits,
  Prices,
  Usage,
  Used,
} from '../models/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { describeCall } from './bind-tools.ts';
import type { BoundTool } from './bind-tools.ts';

/** What every agent needs to work. */
export type AgentSettings = {
  model: ChatModel;
  prices: Prices | null;
  limits: Limits;
  ledger: Ledger;
  emit: Emit;
  clock: Clock;
};

export type Called = { tool: string; input: unknown; outcome: ToolOutcome };

/** What the model wrote in its last step and what it called there; or why it was not let go on. */
export type Turn = { kind: 'ended'; text: string; calls: Called[] } | { kind: 'stopped'; reason: string };

export type Conversation = {
  say(...contents: ChatContent[]): void;
  /** Lets the model work until it calls nothing more, or until `isOver` says so of a step. */
  proceed(isOver?: (calls: readonly Called[]) => boolean): Promise<Turn>;
};

type Parts = AgentSettings & {
  /** The update or question this is about, for events. */
  run: string;
  instructions: string;
  tools: readonly BoundTool[];
  signal: AbortSignal;
};

/**
 * A loop over single steps of the model, in which every bound is checked before the next step. A failing model throws;
 * so does a signal. What the tools did until then is for the caller to throw away.
 */
export function startConversation(parts: Parts): Conversation {
  const { limits, prices, ledger, clock, signal } = parts;
  const messages: ChatMessage[] = [];
  const startedAt = clock();
  const used: Used = { steps: 0, tokens: 0, milliseconds: 0 };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(milliseconds(limits))]);

  return {
    say(...contents) {
      messages.push({ role: 'user', contents });
    },
    async proceed(isOver = () => false) {
      for (;;) {
        used.milliseconds = clock() - startedAt;
        const reason = reachedLimit(limits, used, ledger.today(), prices !== null);
        if (reason !== null) return { kind: 'stopped', reason };
        signal.throwIfAborted();
        const step = await takeStep(parts, messages, deadline);
        if (step === null)
          return { kind: 'stopped', reason: `it took longer than ${limits.minutes} minutes` };
        account(parts, used, step.usage);
        messages.push({ role: 'assistant', said: step.said });
        const calls: Called[] = [];
        const results: ChatToolResult[] = [];
        for (const asked of step.calls) {
          signal.throwIfAborted();
          const outcome = await call(parts, asked);
          calls.push({ tool: asked.tool, input: asked.input, outcome });
          results.push(resultOf(asked, outcome));
        }
        if (calls.length > 0) messages.push({ role: 'tool', results });
        if (calls.length === 0 || isOver(calls)) return { kind: 'ended', text: step.text.trim(), calls };
      }
    },
  };
}

/** As a timer can count them. */
function milliseconds({ minutes }: Limits): number {
  return Math.min(2 ** 31 - 1, Math.ceil(minutes * 60_000));
}

/** Null when the time was over before the model was done. */
async function takeStep(
  { model, instructions, tools, signal }: Parts,
  messages: readonly ChatMessage[],
  deadline: AbortSignal,
): Promise<ChatStep | null> {
  try {
    return await model.step({ instructions, messages: [...messages], tools, signal: deadline });
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    return null;
  }
}

/** Counts a step for the run and for the day. */
function account({ prices, ledger, emit, run }: Parts, used: Used, usage: Usage): void {
  used.steps += 1;
  used.tokens += freshTokens(usage);
  const cost = costOf(usage, prices);
  ledger.add(run, usage, cost);
  emit({ type: 'step-finished', run, step: used.steps, tokens: usage });
  const today = ledger.today();
  emit({ type: 'spend-changed', tokens: today.tokens, cost: cost === null ? null : today.cost });
}

async function call({ tools, emit, run }: Parts, { tool, input, isInvalid }: ChatCall): Promise<ToolOutcome> {
  emit({ type: 'tool-called', run, tool, about: describeCall(input) });
  const known = tools.find(({ name }) => name === tool);
  const outcome: ToolOutcome =
    known === undefined
      ? refuse(`there is no tool ${tool}; there are: ${tools.map(({ name }) => name).join(', ')}`)
      : isInvalid
        ? refuse(`the input of ${tool} is not JSON; call it again`)
        : await known.call(input);
  emit({ type: 'tool-finished', run, tool, problem: problemOf(outcome) });
  return outcome;
}

function refuse(problem: string): ToolOutcome {
  return { kind: 'refused', message: `error: ${problem}` };
}

/** The first line of what went wrong, or null. */
function problemOf(outcome: ToolOutcome): string | null {
  if (outcome.kind === 'refused') return outcome.message.split('\n')[0] ?? '';
  return outcome.result.value.errors[0]?.message ?? null;
}

/** What the model gets to see of it. */
function resultOf({ id, tool }: ChatCall, outcome: ToolOutcome): ChatToolResult {
  if (outcome.kind === 'refused') return { id, tool, kind: 'refused', text: outcome.message };
  const { text, images } = outcome.result;
  return { id, tool, kind: 'result', text, images };
}
