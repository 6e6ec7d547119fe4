import type { z } from 'zod';
import type { Usage } from './limits.ts';

/**
 * A model that is talked with and calls tools. It remembers nothing: every request says all that was said before, and
 * nothing in a request is changed.
 */
export type ChatModel = {
  /** As it is configured: `anthropic/claude-…`. */
  name: string;
  /**
   * What the model says next, complete or not at all: an answer that breaks off or stays out throws. It calls no tool
   * itself. Once the signal is aborted it throws the signal's reason; any other failure is a `ModelError`.
   */
  step(request: ChatRequest): Promise<ChatStep>;
};

export type ChatRequest = {
  instructions: string;
  messages: readonly ChatMessage[];
  /** Presented in this order. Inputs are not checked against the schemas, which are only shown. */
  tools: readonly ChatTool[];
  signal: AbortSignal;
  /** Told what it has written so far in this step. Must not throw. */
  onText?: ((text: string) => void) | undefined;
};

export type ChatTool = { name: string; description: string; input: z.ZodType };

export type ChatMessage =
  | { role: 'user'; contents: readonly ChatContent[] }
  /** `said` as a step of the same model had it. */
  | { role: 'assistant'; said: unknown }
  /** One result for each call of the step before, in the order of the calls. */
  | { role: 'tool'; results: readonly ChatToolResult[] };

/** A text, and the images that it announces, in its order. */
export type ChatContent = { text: string; images: readonly ChatImage[] };

export type ChatImage = { path: string; mediaType: string; data: Uint8Array };

export type ChatToolResult = { id: string; tool: string } & (
  | ({ kind: 'result' } & ChatContent)
  /** The call was not carried out; `text` says why. */
  | { kind: 'refused'; text: string }
);

export type ChatStep = {
  /** Empty when it said nothing. */
  text: string;
  calls: ChatCall[];
  /** What goes back with the next request, exactly as it came; it means something to this model alone. */
  said: unknown;
  /** Estimated where a server does not count. */
  usage: Usage;
};

export type ChatCall = {
  id: string;
  /** As the model wrote it: there may be no such tool. */
  tool: string;
  input: unknown;
  /** When `input` is not JSON and still as the model wrote it. A call of a tool that was not shown may be invalid, too. */
  isInvalid: boolean;
};
