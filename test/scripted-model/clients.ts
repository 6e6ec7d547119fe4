import { createAnthropic } from '@ai-sdk/anthropic';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import type { LanguageModel, LanguageModelUsage, ModelMessage, ToolSet, TypedToolCall } from 'ai';
import { z } from 'zod';

/** The tools have no execute function, so that one question is one step. */
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
  /** How many pieces of text and of tool input the stream contained. */
  pieces?: { text: number; input: number };
};
type Ask = (question: Question) => Promise<Outcome>;

type Client = {
  client: string;
  /** The API that it uses. */
  api: 'chat-completions' | 'messages' | 'responses';
  connect: (baseURL: string) => LanguageModel;
  ask: Ask;
  isStreaming: boolean;
};

/** Every provider for the protocols of the server, with and without streaming. */
export function everyClient(): Client[] {
  return Object.entries(providers).flatMap(([name, connect]) => [
    { client: `${name}, streaming`, api: apiOf(name), connect, ask: askStreaming, isStreaming: true },
    { client: `${name}, whole`, api: apiOf(name), connect, ask: askWhole, isStreaming: false },
  ]);
}

function apiOf(name: string): Client['api'] {
  if (name === 'openai') return 'responses';
  return name === 'anthropic' ? 'messages' : 'chat-completions';
}

export const providers = {
  'openai-compatible': (baseURL: string): LanguageModel =>
    createOpenAICompatible({ name: 'scripted', baseURL, includeUsage: true })('model'),
  mistral: (baseURL: string): LanguageModel => createMistral({ baseURL, apiKey: 'none' })('model'),
  openai: (baseURL: string): LanguageModel => createOpenAI({ baseURL, apiKey: 'none' })('model'),
  anthropic: (baseURL: string): LanguageModel => createAnthropic({ baseURL, apiKey: 'none' })('model'),
};

export async function askWhole(question: Question): Promise<Outcome> {
  return generateText({ ...settings, ...question });
}

/** Throws every error, no matter in which of three ways the stream reports it. */
export async function askStreaming(question: Question): Promise<Outcome> {
  // Without this callback, the SDK prints every error.
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

// Retries wait for seconds, so tests opt in. The output limit avoids a warning about an unknown model.
const settings = { instructions: 'You keep notes.', tools, maxRetries: 0, maxOutputTokens: 1000 };
