import type { LanguageModel } from 'ai';

export const providerNames = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'openrouter',
  'ollama',
  'openai-compatible',
] as const;

export type ProviderName = (typeof providerNames)[number];

/** Which model to use, and how to reach it. */
export type ModelChoice = {
  provider: ProviderName;
  model: string;
  /** Where it answers, if elsewhere than usual. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
};

/** A model as an agent uses it. */
export type AgentModel = {
  /** As it is configured: `anthropic/claude-…`. */
  name: string;
  /** For messages about it, and so that its key can be kept out of them. */
  endpoint: { baseUrl: string; model: string; apiKey?: string };
  /** Whether its protocol can carry images in the result of a tool; else they follow in a message of their own. */
  imagesInToolResults: boolean;
  /** Where a provider does not know how much a model may write, and would assume too little. */
  maxOutputTokens?: number | undefined;
  /** A provider object, never a name: a name would be looked up at a gateway. Loaded at the first call. */
  open: () => Promise<LanguageModel>;
};

/** `anthropic/claude-…` → its two parts; null when the provider is none of ours. */
export function parseModelName(name: string): { provider: ProviderName; model: string } | null {
  const [, first = '', model = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const provider = providerNames.find((known) => known === first);
  return provider === undefined ? null : { provider, model };
}
