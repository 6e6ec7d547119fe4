import type { TranscriptionModel } from 'ai';
import { explainModelFailure } from './ai-sdk.ts';
import type { ModelChoice, ProviderName } from './model.ts';
import { providers } from './providers.ts';

type Recording = { bytes: Uint8Array; name: string; mediaType: string };

/** The words of a recording. Throws a `ModelError`, or the reason of the signal. */
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

export function canTranscribe(provider: ProviderName): boolean {
  return provider in transcribing;
}

/** Whoever calls has made sure that the provider can, that there is an address, and a key where one is needed. */
export function createTranscriber({ provider, model, baseUrl, apiKey }: ModelChoice): Transcriber {
  const open = transcribing[provider];
  if (open === undefined) throw new Error(`${provider} does not transcribe`);
  const baseURL = baseUrl ?? providers[provider].baseUrl ?? '';
  const endpoint = { baseUrl: baseURL, model, ...(apiKey !== undefined && { apiKey }) };
  return async ({ bytes, mediaType }, signal) => {
    const sdk = await import('ai');
    try {
      const { text, warnings } = await sdk.transcribe({
        model: await open({ baseURL, apiKey: apiKey ?? '' }, model),
        // Nothing is downloaded: only so is it told what the bytes are, which it would guess otherwise.
        audio: new URL('recording:'),
        download: async () => ({ data: bytes, mediaType }),
        // Only the words are wanted, and not every server that speaks like OpenAI's knows another form.
        providerOptions: { openai: { responseFormat: 'json' } },
        abortSignal: signal,
      });
      return { text: text.trim(), warnings: warnings.map(describeWarning) };
    } catch (error) {
      signal.throwIfAborted();
      throw explainModelFailure(sdk, endpoint, error);
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
