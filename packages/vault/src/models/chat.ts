import type { z } from 'zod';
import type { Usage } from './run-limits.ts';

/**
 * A stateless chat model with tool calls: every request contains the whole conversation, and requests are never
 * modified.
 */
export type ChatModel = {
  /** The configured name, `anthropic/claude-…`. */
  name: string;
  /**
   * Returns the model's next message, complete or not at all: an interrupted or missing response throws. Does not
   * execute tools. Throws the signal's reason once it is aborted; any other failure is a `ModelError`.
   */
  step(request: ChatRequest): Promise<ChatStep>;
  /** Called when a conversation is over, also after a failure. Ends what the model keeps for it; must not throw. */
  close?: (() => void) | undefined;
};

export type ChatRequest = {
  instructions: string;
  messages: readonly ChatMessage[];
  /** Sent in this order. Inputs of calls are not validated against the schemas. */
  tools: readonly ChatTool[];
  /** Makes the model call a tool; ignored if the server does not support it. By default the model decides. */
  toolChoice?: 'required' | undefined;
  signal: AbortSignal;
  /** Called with the text written so far in this step, without thoughts. Must not throw. */
  onText?: ((text: string) => void) | undefined;
};

export type ChatTool = { name: string; description: string; input: z.ZodType };

export type ChatMessage =
  | { role: 'user'; content: readonly ChatContent[] }
  /** `rawMessages` as returned by a previous step of the same model. */
  | { role: 'assistant'; rawMessages: unknown }
  /** One result for each call of the previous step, in the order of the calls. */
  | { role: 'tool'; results: readonly ChatToolResult[] };

/** A text and the images it refers to, in the same order. */
export type ChatContent = { text: string; images: readonly ChatImage[] };

export type ChatImage = { path: string; mediaType: string; data: Uint8Array };

export type ChatToolResult = { id: string; tool: string } &
  /** `structured` returns the result as structured data. */
  (
    | ({ kind: 'result'; structured: () => unknown } & ChatContent)
    /** The call was not executed; `text` says why. */
    | { kind: 'refused'; text: string }
  );

export type ChatStep = {
  /** Without thoughts and without calls written as text; empty if there is nothing else. */
  text: string;
  calls: ChatCall[];
  /** Opaque provider messages, sent back unchanged with the next request to the same model. */
  rawMessages: unknown;
  /** Estimated if the server does not report it. */
  usage: Usage;
};

export type ChatCall = {
  id: string;
  /** As written by the model; the tool may not exist. */
  toolName: string;
  input: unknown;
  /** Whether `input` is not valid JSON; it is then the raw text. A call to an unknown tool may be invalid, too. */
  isInvalid: boolean;
};
