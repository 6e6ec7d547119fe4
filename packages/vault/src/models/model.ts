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
  /** How many tokens it takes, where that is configured. */
  contextTokens?: number | undefined;
};

/** `anthropic/claude-…` → its two parts; null when the provider is none of ours. */
export function parseModelName(name: string): { provider: ProviderName; model: string } | null {
  const [, first = '', model = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const provider = providerNames.find((known) => known === first);
  return provider === undefined ? null : { provider, model };
}
