import type { AccessTokenSource } from './chatgpt-plan.ts';
import type { InstalledProgram } from './program-process.ts';

export const providerNames = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'openrouter',
  'ollama',
  'openai-compatible',
  'claude-code',
  'codex',
] as const;

export type ProviderName = (typeof providerNames)[number];

/** The configuration of a model and how to reach it. */
export type ModelConfig = {
  provider: ProviderName;
  model: string;
  /** Overrides the provider's default URL. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Set if a ChatGPT plan pays; there is no API key then. */
  accessToken?: AccessTokenSource | undefined;
  /** The configured context size in tokens. */
  contextTokens?: number | undefined;
  /** The longest silence of the server before a request is given up. */
  timeoutSeconds?: number | undefined;
  /** The program of a provider that is an installed tool. */
  program?: InstalledProgram | undefined;
};

/** Splits `anthropic/claude-…` into its two parts; null if the provider is unknown. */
export function parseModelName(name: string): { provider: ProviderName; model: string } | null {
  const [, first = '', model = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const provider = providerNames.find((known) => known === first);
  return provider === undefined ? null : { provider, model };
}
