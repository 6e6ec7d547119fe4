import { createAiSdkChatModel } from './ai-sdk-chat.ts';
import type { SdkLanguageModel } from './ai-sdk-chat.ts';
import type { ChatModel } from './chat.ts';
import { adaptToChatGptPlan, withAccessToken } from './chatgpt-plan.ts';
import { fetchModelInfo } from './fetch-model-info.ts';
import type { ModelInfoRequest, ModelInfo } from './fetch-model-info.ts';
import { createHttpFetch } from './http-fetch.ts';
import { claudeCode, codex } from './installed-tools.ts';
import type { InstalledTool } from './installed-tools.ts';
import { isPrivateAddress } from './is-private-address.ts';
import { providerNames } from './model-config.ts';
import type { ModelConfig, ProviderName } from './model-config.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type Endpoint = { baseURL: string; apiKey: string; fetch: typeof fetch };

type Provider = {
  /** Null if the user has to configure it. */
  baseUrl: string | null;
  /** The usual environment variable for the key; null if no key is needed. */
  keyVariable: string | null;
  /** Context size to request from a server that allocates as much as requested. */
  contextTokens?: number;
} & (RemoteProvider | { tool: InstalledTool });

type RemoteProvider = {
  imagesInToolResults: boolean;
  maxOutputTokens?: number;
  /** The request for information about a model; the key is empty if there is none. */
  infoRequest: (model: string, key: string) => ModelInfoRequest;
  /** URL and key are always passed, so that no provider reads the environment itself. */
  createModel: (
    endpoint: Endpoint,
    model: string,
    contextTokens: number | undefined,
  ) => Promise<SdkLanguageModel>;
};

export const providers: Record<ProviderName, Provider> = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    imagesInToolResults: true,
    maxOutputTokens: 16_000,
    infoRequest: (model, key) => ({
      path: `/models/${encodeURIComponent(model)}`,
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    }),
    createModel: async (endpoint, model) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(endpoint)(model),
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    imagesInToolResults: true,
    infoRequest: (model, key) => ({ path: `/models/${encodeURIComponent(model)}`, headers: bearer(key) }),
    createModel: async (endpoint, model) => (await import('@ai-sdk/openai')).createOpenAI(endpoint)(model),
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    imagesInToolResults: true,
    infoRequest: (model, key) => ({
      path: model.includes('/') ? `/${model}` : `/models/${model}`,
      headers: { 'x-goog-api-key': key },
    }),
    createModel: async (endpoint, model) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(endpoint)(model),
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    imagesInToolResults: false,
    infoRequest: (model, key) => ({ path: `/models/${encodeURIComponent(model)}`, headers: bearer(key) }),
    createModel: async (endpoint, model) => (await import('@ai-sdk/mistral')).createMistral(endpoint)(model),
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    imagesInToolResults: true,
    infoRequest: (_, key) => ({ proof: '/key', path: '/models', headers: bearer(key) }),
    createModel: async (endpoint, model) =>
      (await import('@openrouter/ai-sdk-provider')).createOpenRouter({
        ...endpoint,
        compatibility: 'strict',
      })(model),
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    keyVariable: null,
    imagesInToolResults: true,
    // Ollama truncates longer input silently, and its default is far too small for a tool loop.
    contextTokens: 32_768,
    infoRequest: (model) => ({ path: '/api/show', headers: json, body: { model } }),
    createModel: async ({ baseURL, fetch }, model, contextTokens) =>
      (await import('ai-sdk-ollama')).createOllama({ baseURL, fetch })(model, {
        options: { ...(contextTokens !== undefined && { num_ctx: contextTokens }) },
      }),
  },
  'openai-compatible': {
    baseUrl: null,
    keyVariable: null,
    imagesInToolResults: false,
    infoRequest: (_, key) => ({ path: '/models', headers: bearer(key) }),
    createModel: async ({ baseURL, apiKey, fetch }, model) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        fetch,
        includeUsage: true,
        ...(apiKey !== '' && { apiKey }),
      })(model),
  },
  'claude-code': { baseUrl: null, keyVariable: null, tool: claudeCode },
  codex: { baseUrl: null, keyVariable: null, tool: codex },
};

/** The installed tool behind a provider; null for a provider behind a URL. */
export function findInstalledTool(provider: ProviderName): InstalledTool | null {
  const chosen = providers[provider];
  return 'tool' in chosen ? chosen.tool : null;
}

export const remoteProviderNames = providerNames.filter((name) => findInstalledTool(name) === null);
export const toolProviderNames = providerNames.filter((name) => findInstalledTool(name) !== null);

const json = { 'content-type': 'application/json' };

function bearer(key: string): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/** A chat model behind a URL, with the URL for display. */
export type RemoteChatModel = ChatModel & {
  endpoint: RemoteEndpoint;
  /** The longest silence of the server, in seconds; longer ones end a request. */
  timeoutSeconds: number;
  /** See `fetchModelInfo`. */
  fetchInfo(signal: AbortSignal): Promise<ModelInfo>;
};

/** The caller must have checked that there is a URL or a program, and a key or a token if the provider needs one. */
export function createChatModel(choice: ModelConfig): RemoteChatModel {
  const { provider, model, baseUrl, accessToken } = choice;
  const chosen = providers[provider];
  if ('tool' in chosen) return createToolModel(chosen.tool, choice);
  const { imagesInToolResults, maxOutputTokens, createModel, infoRequest, baseUrl: usual } = chosen;
  const contextTokens = choice.contextTokens ?? chosen.contextTokens;
  const baseURL = baseUrl ?? usual ?? '';
  const endpoint: RemoteEndpoint = {
    baseUrl: baseURL,
    model,
    ...(choice.apiKey !== undefined && { apiKey: choice.apiKey }),
  };
  const timeoutSeconds = choice.timeoutSeconds ?? defaultTimeoutSeconds(baseURL);
  const send = createHttpFetch(timeoutSeconds * 1_000);
  const fetch =
    accessToken === undefined
      ? send
      : // The token in use is stored as the key, so that it is removed from errors.
        withAccessToken(send, accessToken, (token) => void (endpoint.apiKey = token));
  const chat = createAiSdkChatModel({
    name: `${provider}/${model}`,
    endpoint,
    imagesInToolResults,
    maxOutputTokens,
    async open() {
      // The SDK requires a key, which `withAccessToken` replaces.
      const opened = await createModel(
        { baseURL, apiKey: choice.apiKey ?? (accessToken === undefined ? '' : 'none'), fetch },
        model,
        contextTokens,
      );
      return accessToken === undefined ? opened : adaptToChatGptPlan(opened);
    },
  });
  return {
    ...chat,
    endpoint,
    timeoutSeconds,
    async fetchInfo(signal) {
      if (accessToken !== undefined) endpoint.apiKey = await accessToken();
      const request = infoRequest(model, endpoint.apiKey ?? '');
      // With a token of a ChatGPT plan, only the list of models is available.
      const path = accessToken === undefined ? request.path : '/models';
      const facts = await fetchModelInfo(endpoint, { ...request, path }, signal);
      const { contextTokens: known } = facts;
      // A larger maximum does not help if less is requested.
      return { ...facts, contextTokens: known && contextTokens ? Math.min(known, contextTokens) : known };
    },
  };
}

/** A model on a private machine may read a long prompt for minutes before it writes the first token. */
function defaultTimeoutSeconds(baseUrl: string): number {
  return isPrivateAddress(baseUrl) ? 600 : remoteTimeoutSeconds;
}

const remoteTimeoutSeconds = 120;

function createToolModel(
  tool: InstalledTool,
  { provider, model, program, timeoutSeconds = remoteTimeoutSeconds }: ModelConfig,
): RemoteChatModel {
  if (program === undefined) throw new Error(`the program of ${provider} is missing`);
  const endpoint = { baseUrl: program.file, model };
  const chat = tool.createModel({ name: `${provider}/${model}`, endpoint, timeoutSeconds, program });
  return { ...chat, endpoint, timeoutSeconds, fetchInfo: (signal) => tool.fetchInfo(program, signal) };
}
