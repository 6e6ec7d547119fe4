import { randomBytes } from 'node:crypto';
import type { AssistantModelMessage } from 'ai';
import type { ChatCall, ChatMessage, ChatRequest } from './chat.ts';
import { parseWrittenCalls } from './parse-written-calls.ts';
import { stripThinking } from './strip-thinking.ts';

type Response = { text: string; calls: ChatCall[]; rawMessages: AssistantModelMessage[] };

/**
 * Removes thoughts from the text of a step, and turns calls that the model wrote as text into calls if it made none.
 * The messages to send back contain the same text and calls, so that every tool result has its call.
 */
export function interpretText(response: Response, { messages, tools }: ChatRequest): Response {
  const said = stripThinking(response.text);
  const written =
    response.calls.length > 0
      ? null
      : parseWrittenCalls(
          said,
          tools.map(({ name }) => name),
          () => messages.flatMap(shownTexts).join('\n'),
        );
  if (written === null && said === response.text) return response;
  const text = written?.text ?? said;
  const added = (written?.calls ?? []).map((call) => ({ ...call, id: newCallId() }));
  return {
    text,
    calls: [...response.calls, ...added],
    rawMessages: rewriteMessages(response.rawMessages, text, added),
  };
}

/** What the user and the tools have told the model. */
function shownTexts(message: ChatMessage): string[] {
  if (message.role === 'assistant') return [];
  return (message.role === 'user' ? message.content : message.results).map(({ text }) => text);
}

/** Nine letters and digits: Mistral accepts nothing else. */
function newCallId(): string {
  return randomBytes(5).toString('hex').slice(0, 9);
}

type Part = Exclude<AssistantModelMessage['content'], string>[number];

/** Replaces the text and adds the calls. Empty messages are dropped, because providers reject them. */
function rewriteMessages(
  messages: AssistantModelMessage[],
  text: string,
  calls: readonly ChatCall[],
): AssistantModelMessage[] {
  const added = calls.map(({ id, toolName, input, isInvalid }): Part => ({
    type: 'tool-call',
    toolCallId: id,
    toolName,
    input: isInvalid ? {} : input,
  }));
  let isPlaced = text === '';
  const rewritten = messages.map((message, index) => {
    const parts = typeof message.content === 'string' ? [] : message.content;
    const kept = parts.flatMap((part): Part[] => {
      if (part.type !== 'text') return [part];
      if (isPlaced) return [];
      isPlaced = true;
      return [{ ...part, text }];
    });
    return { ...message, content: [...kept, ...(index === messages.length - 1 ? added : [])] };
  });
  return rewritten.filter(({ content }) => content.length > 0);
}
