import { otherReason } from '../contract/index.ts';
import type { Clock, Emit, Reason } from '../contract/index.ts';
import { costOf, freshTokens, ModelError, reachedLimit } from '../models/index.ts';
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
type Turn = { kind: 'ended'; text: string; calls: Called[] } | { kind: 'stopped'; reason: Reason };

export type Conversation = {
  /** A message of its own. */
  say(...contents: ChatContent[]): void;
  /** Lets the model work until it calls nothing more, or until `isOver` says so of what it called and wrote in a step. */
  proceed(isOver?: (calls: readonly Called[], text: string) => boolean | Promise<boolean>): Promise<Turn>;
};

type Parts = AgentSettings & {
  /** The update or question this is about, for events. */
  run: string;
  instructions: string;
  tools: readonly BoundTool[];
  signal: AbortSignal;
  /** Told what the model has written so far in a step. */
  onText?: ((text: string) => void) | undefined;
  /** Unlike the clock it is never set: how long something took goes by it. */
  elapsed?: Clock;
};

/**
 * A loop over single steps of the model, in which every bound is checked before the next step. A failing model throws,
 * also one that makes the same call again and again; so does a signal. What the tools did until then is for the caller to
 * throw away.
 */
export function startConversation(parts: Parts): Conversation {
  const { limits, prices, ledger, elapsed = () => performance.now(), signal } = parts;
  const messages: ChatMessage[] = [];
  const startedAt = elapsed();
  const used: Used = { steps: 0, tokens: 0, milliseconds: 0, cost: 0 };
  const repeated = createRepetitionCheck(parts.model.name);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(milliseconds(limits))]);

  return {
    say(...contents) {
      messages.push({ role: 'user', contents });
    },
    async proceed(isOver = () => false) {
      for (;;) {
        used.milliseconds = elapsed() - startedAt;
        used.cost = ledger.spentOn(parts.run)?.cost ?? 0;
        const reason = reachedLimit(limits, used, ledger.today(), prices !== null);
        if (reason !== null) return { kind: 'stopped', reason };
        signal.throwIfAborted();
        const step = await takeStep(parts, messages, deadline);
        if (step === null)
          return { kind: 'stopped', reason: otherReason(`it took longer than ${limits.minutes} minutes`) };
        account(parts, used, step.usage);
        messages.push({ role: 'assistant', said: step.said });
        const calls: Called[] = [];
        const results: ChatToolResult[] = [];
        for (const asked of step.calls) {
          signal.throwIfAborted();
          const outcome = await call(parts, asked);
          calls.push({ tool: asked.tool, input: asked.input, outcome });
          results.push(repeated(asked, resultOf(asked, outcome), used.steps));
        }
        if (calls.length > 0) messages.push({ role: 'tool', results });
        const text = step.text.trim();
        if (calls.length === 0 || (await isOver(calls, text))) return { kind: 'ended', text, calls };
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
  { model, instructions, tools, signal, onText }: Parts,
  messages: readonly ChatMessage[],
  deadline: AbortSignal,
): Promise<ChatStep | null> {
  try {
    return await model.step({ instructions, messages: [...messages], tools, signal: deadline, onText });
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

type RepetitionCheck = (asked: ChatCall, result: ChatToolResult, step: number) => ChatToolResult;

/**
 * A call that is made again in a later step and gives the same is answered with a hint; once more, and the model is not asked
 * further.
 */
function createRepetitionCheck(model: string): RepetitionCheck {
  const given = new Map<string, { text: string; times: number; step: number }>();
  return ({ tool, input }, result, step) => {
    const key = JSON.stringify([tool, input]);
    const before = given.get(key);
    const isAgain = before?.text === result.text;
    const times = isAgain ? before.times + Number(before.step !== step) : 1;
    given.set(key, { text: result.text, times, step });
    if (times > 2)
      throw new ModelError('unfit', `${model} called ${tool} with the same input again and again`, {
        mend: 'choose a model that is made for calling tools',
      });
    const hint = 'note: you made this very call before, with the same result; do something else, or finish';
    return times === 1 ? result : { ...result, text: `${result.text}\n\n${hint}` };
  };
}
