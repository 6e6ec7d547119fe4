import { isDeepStrictEqual } from 'node:util';
import type { ChatCall, ChatContent, ChatMessage, ChatTool, ChatToolResult } from './chat.ts';

/** The result of a call, and what the user says after it. */
export type HeldResult = { result: ChatToolResult; userContent: readonly ChatContent[] };

type HeldCall = {
  /** Undefined if the program does not say which call of the model it is. */
  id: string | undefined;
  tool: string;
  input: unknown;
  answer: (held: HeldResult) => void;
};

type ModelCall = Pick<ChatCall, 'id' | 'toolName' | 'input'>;

export type HeldCalls = {
  /** Keeps a call of the program until its result is delivered; either may come first. */
  hold(call: HeldCall): void;
  deliver(call: ModelCall, held: HeldResult): void;
};

/** Matches calls with results by the id of the call, or by tool and input if the program does not report an id. */
export function createHeldCalls(): HeldCalls {
  const waiting: HeldCall[] = [];
  const delivered: { call: ModelCall; held: HeldResult }[] = [];
  const isSame = ({ id, tool, input }: HeldCall, call: ModelCall): boolean =>
    id === undefined ? tool === call.toolName && isDeepStrictEqual(input, call.input) : id === call.id;
  return {
    hold(call) {
      const index = delivered.findIndex((each) => isSame(call, each.call));
      const [found] = index === -1 ? [] : delivered.splice(index, 1);
      if (found === undefined) waiting.push(call);
      else call.answer(found.held);
    },
    deliver(call, held) {
      const index = waiting.findIndex((each) => isSame(each, call));
      const [found] = index === -1 ? [] : waiting.splice(index, 1);
      if (found === undefined) delivered.push({ call, held });
      else found.answer(held);
    },
  };
}

/**
 * Delivers the results among the messages to the calls of the last answer. What the user says after them goes with the
 * last result, because the program continues as soon as it has all of them. Returns what the user says if no result
 * can carry it.
 */
export function deliverResults(
  held: HeldCalls,
  messages: readonly ChatMessage[],
  { calls, tools }: { calls: readonly ChatCall[]; tools: readonly ChatTool[] },
): ChatContent[] {
  const userContent = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  // The program itself answers calls to tools that do not exist.
  const results = messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .filter(({ tool }) => tools.some(({ name }) => name === tool));
  for (const [index, result] of results.entries()) {
    const call = calls.find(({ id }) => id === result.id);
    const isLast = index === results.length - 1;
    if (call !== undefined) held.deliver(call, { result, userContent: isLast ? userContent : [] });
  }
  return results.length === 0 ? userContent : [];
}
