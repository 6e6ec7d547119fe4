import { createAiSdkChat } from './ai-sdk-chat.ts';
import type { ProvidedModel } from './ai-sdk-chat.ts';
import type { ChatModel } from './chat.ts';
import { lookUpModel } from './look-up-model.ts';
import type { Inquiry, ModelFacts } from './look-up-model.ts';
import type { ModelChoice, ProviderName } from './model.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type Endpoint = { baseURL: string; apiKey: string };

type Provider = {
  /** Null where it has to be given. */
  baseUrl: string | null;
  /** The variable in which people usually have the key; null where none is needed. */
  keyVariable: string | null;
  imagesInToolResults: boolean;
  maxOutputTokens?: number;
  /** The context that a server is asked for which makes as much room as it is told to. */
  contextTokens?: number;
  /** What to ask about a model without using it; without a key the key is empty. */
  lookUp: (model: string, key: string) => Inquiry;
  /** Address and key are always given, so that no provider looks into the environment by itself. */
  open: (endpoint: Endpoint, model: string, contextTokens: number | undefined) => Promise<ProvidedModel>;
};

export const providers: Record<ProviderName, Provider> = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    imagesInToolResults: true,
    maxOutputTokens: 16_000,
    lookUp: (model, key) => ({
      path: `/models/${encodeURIComponent(model)}`,
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    }),
    open: async (endpoint, model) => (await import('@ai-sdk/anthropic')).createAnthropic(endpoint)(model),
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    imagesInToolResults: true,
    lookUp: (model, key) => ({ path: `/models/${encodeURIComponent(model)}`, headers: bearer(key) }),
    open: async (endpoint, model) => (await import('@ai-sdk/openai')).createOpenAI(endpoint)(model),
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    imagesInToolResults: true,
    lookUp: (model, key) => ({
      path: model.includes('/') ? `/${model}` : `/models/${model}`,
      headers: { 'x-goog-api-key': key },
    }),
    open: async (endpoint, model) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(endpoint)(model),
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    imagesInToolResults: false,
    lookUp: (model, key) => ({ path: `/models/${encodeURIComponent(model)}`, headers: bearer(key) }),
    open: async (endpoint, model) => (await import('@ai-sdk/mistral')).createMistral(endpoint)(model),
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    imagesInToolResults: true,
    lookUp: (_, key) => ({ proof: '/key', path: '/models', headers: bearer(key) }),
    open: async (endpoint, model) =>
      (await import('@openrouter/ai-sdk-provider')).createOpenRouter({
        ...endpoint,
        compatibility: 'strict',
      })(model),
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    keyVariable: null,
    imagesInToolResults: true,
    // It cuts off silently what is longer, and its own default is far too short for a tool loop.
    contextTokens: 32_768,
    lookUp: (model) => ({ path: '/api/show', headers: json, body: { model } }),
    open: async ({ baseURL }, model, contextTokens) =>
      (await import('ai-sdk-ollama')).createOllama({ baseURL })(model, {
        options: { ...(contextTokens !== undefined && { num_ctx: contextTokens }) },
      }),
  },
  'openai-compatible': {
    baseUrl: null,
    keyVariable: null,
    imagesInToolResults: false,
    lookUp: (_, key) => ({ path: '/models', headers: bearer(key) }),
    open: async ({ baseURL, apiKey }, model) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        includeUsage: true,
        ...(apiKey !== '' && { apiKey }),
      })(model),
  },
};

const json = { 'content-type': 'application/json' };

function bearer(key: string): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/** A model behind an address, and that address, so that it can be shown. */
export type RemoteChatModel = ChatModel & {
  endpoint: RemoteEndpoint;
  /** As `lookUpModel`. */
  lookUp(signal: AbortSignal): Promise<ModelFacts>;
};

/** Whoever calls has made sure that there is an address, and a key where one is needed. */
export function createChatModel(choice: ModelChoice): RemoteChatModel {
  const { provider, model, baseUrl, apiKey } = choice;
  const { imagesInToolResults, maxOutputTokens, open, lookUp, baseUrl: usual } = providers[provider];
  const contextTokens = choice.contextTokens ?? providers[provider].contextTokens;
  const baseURL = baseUrl ?? usual ?? '';
  const endpoint = { baseUrl: baseURL, model, ...(apiKey !== undefined && { apiKey }) };
  const chat = createAiSdkChat({
    name: `${provider}/${model}`,
    endpoint,
    imagesInToolResults,
    maxOutputTokens,
    open: () => open({ baseURL, apiKey: apiKey ?? '' }, model, contextTokens),
  });
  return {
    ...chat,
    endpoint,
    async lookUp(signal) {
      const facts = await lookUpModel(endpoint, lookUp(model, apiKey ?? ''), signal);
      const { contextTokens: known } = facts;
      // What it could take is of no use where it is asked for less.
      return { ...facts, contextTokens: known && contextTokens ? Math.min(known, contextTokens) : known };
    },
  };
}
