import { randomBytes } from 'node:crypto';
import type { Conversation, SeenRequest } from './seen-request.ts';
import { argumentsOf } from './turn.ts';
import type { Reply } from './turn.ts';

/** A model API over HTTP. */
export type Protocol = {
  name: SeenRequest['protocol'];
  /** The suffix of its request paths. */
  path: string;
  read(body: Record<string, unknown>): Conversation;
  /** The body of a response without streaming. */
  answer(request: SeenRequest, reply: Reply): unknown;
  /** The same response as server-sent events. */
  stream(request: SeenRequest, reply: Reply): string[];
};

/** Real models count tokens; these numbers grow with the request and the reply in the same way. */
export function usageOf(
  { rawBody }: SeenRequest,
  { text = '', calls = [], usage }: Reply,
): { input: number; output: number; cached: number } {
  const said = [text, ...calls.map(argumentsOf)].join('');
  return { input: roughTokens(rawBody), output: roughTokens(said), cached: 0, ...usage };
}

/** Nine letters and digits: Mistral accepts nothing else, and other providers accept anything. */
export function newCallId(): string {
  return randomBytes(5).toString('hex').slice(0, 9);
}

/** At least three pieces if the text is long enough, and never half a character. */
export function inPieces(text: string): string[] {
  const size = Math.min(24, Math.max(1, Math.ceil(text.length / 3)));
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
}

function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
