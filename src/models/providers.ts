import { createAiSdkChat } from './ai-sdk-chat.ts';
import type { ProvidedModel } from './ai-sdk-chat.ts';
import type { ChatModel } from './chat.ts';
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
  /** Where we say ourselves how much a model takes. */
  contextTokens?: number;
  /** Address and key are always given, so that no provider looks into the environment by itself. */
  open: (endpoint: Endpoint, model: string) => Promise<ProvidedModel>;
};

/** Ollama cuts off silently what is longer, and its own default is far too short for a tool loop. */
const ollamaContext = 32_768;

export const providers: Record<ProviderName, Provider> = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    imagesInToolResults: true,
    maxOutputTokens: 16_000,
    open: async (endpoint, model) => (await import('@ai-sdk/anthropic')).createAnthropic(endpoint)(model),
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    imagesInToolResults: true,
    open: async (endpoint, model) => (await import('@ai-sdk/openai')).createOpenAI(endpoint)(model),
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    imagesInToolResults: true,
    open: async (endpoint, model) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(endpoint)(model),
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    imagesInToolResults: false,
    open: async (endpoint, model) => (await import('@ai-sdk/mistral')).createMistral(endpoint)(model),
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    imagesInToolResults: true,
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
    contextTokens: ollamaContext,
    open: async ({ baseURL }, model) =>
      (await import('ai-sdk-ollama')).createOllama({ baseURL })(model, {
        options: { num_ctx: ollamaContext },
      }),
  },
  'openai-compatible': {
    baseUrl: null,
    keyVariable: null,
    imagesInToolResults: false,
    open: async ({ baseURL, apiKey }, model) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        includeUsage: true,
        ...(apiKey !== '' && { apiKey }),
      })(model),
  },
};

/** A model behind an address, and that address, so that it can be shown. */
export type RemoteChatModel = ChatModel & { endpoint: RemoteEndpoint };

/** Whoever calls has made sure that there is an address, and a key where one is needed. */
export function createChatModel({ provider, model, baseUrl, apiKey }: ModelChoice): RemoteChatModel {
  const { imagesInToolResults, maxOutputTokens, open, baseUrl: usual } = providers[provider];
  const baseURL = baseUrl ?? usual ?? '';
  const endpoint = { baseUrl: baseURL, model, ...(apiKey !== undefined && { apiKey }) };
  const chat = createAiSdkChat({
    name: `${provider}/${model}`,
    endpoint,
    imagesInToolResults,
    maxOutputTokens,
    open: () => open({ baseURL, apiKey: apiKey ?? '' }, model),
  });
  return { ...chat, endpoint };
}
