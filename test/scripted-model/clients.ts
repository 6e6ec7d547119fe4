import { createAnthropic } from '@ai-sdk/anthropic';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import type { LanguageModel, LanguageModelUsage, ModelMessage, ToolSet, TypedToolCall } from 'ai';
import { z } from 'zod';

/** They have nothing that executes them, so that one question is one step. */
const tools: ToolSet = {
  read: { description: 'Reads a note.', inputSchema: z.object({ path: z.string() }) },
  search: { description: 'Finds notes.', inputSchema: z.object({ query: z.string() }) },
};

type Question = {
  model: LanguageModel;
  messages: ModelMessage[];
  abortSignal?: AbortSignal;
  timeout?: { chunkMs: number };
  maxRetries?: number;
};
type Outcome = {
  text: string;
  toolCalls: TypedToolCall<ToolSet>[];
  finishReason: string;
  rawFinishReason: string | undefined;
  usage: LanguageModelUsage;
  responseMessages: ModelMessage[];
  /** How often the stream brought a piece of text, and of a tool's input. */
  pieces?: { text: number; input: number };
};
type Ask = (question: Question) => Promise<Outcome>;

type Client = {
  client: string;
  connect: (baseURL: string) => LanguageModel;
  ask: Ask;
  isStreaming: boolean;
};

/** Every provider that speaks a protocol of the server, streaming and not. */
export function everyClient(): Client[] {
  return Object.entries(providers).flatMap(([name, connect]) => [
    { client: `${name}, streaming`, connect, ask: askStreaming, isStreaming: true },
    { client: `${name}, whole`, connect, ask: askWhole, isStreaming: false },
  ]);
}

export const providers = {
  'openai-compatible': (baseURL: string): LanguageModel =>
    createOpenAICompatible({ name: 'scripted', baseURL, includeUsage: true })('model'),
  mistral: (baseURL: string): LanguageModel => createMistral({ baseURL, apiKey: 'none' })('model'),
  anthropic: (baseURL: string): LanguageModel => createAnthropic({ baseURL, apiKey: 'none' })('model'),
};

export async function askWhole(question: Question): Promise<Outcome> {
  return generateText({ ...settings, ...question });
}

/** Throws what goes wrong, in whichever of the three ways the stream tells it. */
export async function askStreaming(question: Question): Promise<Outcome> {
  // Without a callback of its own it prints every error.
  const result = streamText({ ...settings, ...question, onError: () => {} });
  const pieces = { text: 0, input: 0 };
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error(`aborted: ${part.reason}`);
    if (part.type === 'text-delta') pieces.text += 1;
    if (part.type === 'tool-input-delta') pieces.input += 1;
  }
  return {
    text: await result.text,
    toolCalls: await result.toolCalls,
    finishReason: await result.finishReason,
    rawFinishReason: await result.rawFinishReason,
    usage: await result.usage,
    responseMessages: await result.responseMessages,
    pieces,
  };
}

// Retries wait for seconds, so a test asks for them. The limit spares a warning about a model nobody knows.
const settings = { instructions: 'You keep notes.', tools, maxRetries: 0, maxOutputTokens: 1000 };
