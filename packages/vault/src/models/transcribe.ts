import type { TranscriptionModel } from 'ai';
import { toModelError } from './ai-sdk.ts';
import type { ModelConfig, ProviderName } from './model-config.ts';
import { providers } from './providers.ts';

type Recording = { bytes: Uint8Array; name: string; mediaType: string };

/** Transcribes a recording. Throws a `ModelError`, or the signal's reason. */
export type Transcriber = (
  recording: Recording,
  signal: AbortSignal,
) => Promise<{ text: string; warnings: string[] }>;

type Endpoint = { baseURL: string; apiKey: string };
type Open = (endpoint: Endpoint, model: string) => Promise<TranscriptionModel>;

const openAi: Open = async (endpoint, model) =>
  (await import('@ai-sdk/openai')).createOpenAI(endpoint).transcription(model);

const transcribing: Partial<Record<ProviderName, Open>> = {
  openai: openAi,
  google: async (endpoint, model) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(endpoint).transcription(model),
  mistral: async (endpoint, model) =>
    (await import('@ai-sdk/mistral')).createMistral(endpoint).transcription(model),
  'openai-compatible': openAi,
};

export function supportsTranscription(provider: ProviderName): boolean {
  return provider in transcribing;
}

/** The caller has checked that the provider supports transcription, and that there is a URL and a key if needed. */
export function createTranscriber({ provider, model, baseUrl, apiKey }: ModelConfig): Transcriber {
  const open = transcribing[provider];
  if (open === undefined) throw new Error(`${provider} does not support transcription`);
  const baseURL = baseUrl ?? providers[provider].baseUrl ?? '';
  const endpoint = { baseUrl: baseURL, model, ...(apiKey !== undefined && { apiKey }) };
  return async ({ bytes, mediaType }, signal) => {
    const sdk = await import('ai');
    try {
      const { text, warnings } = await sdk.transcribe({
        model: await open({ baseURL, apiKey: apiKey ?? '' }, model),
        // Nothing is downloaded: a URL is the only way to pass the media type, which the SDK would guess otherwise.
        audio: new URL('recording:'),
        download: async () => ({ data: bytes, mediaType }),
        // Only the text is needed, and not every OpenAI-compatible server supports other formats.
        providerOptions: { openai: { responseFormat: 'json' } },
        abortSignal: signal,
      });
      return { text: text.trim(), warnings: warnings.map(describeWarning) };
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(sdk, endpoint, error);
    }
  };
}

function describeWarning(warning: {
  type: string;
  message?: string;
  feature?: string;
  details?: string;
}): string {
  const { message, feature, details } = warning;
  return [message, feature, details].filter((part) => part !== undefined).join(': ') || warning.type;
}
