import { supportsTranscription, createTranscriber, ModelError, providerNames } from '../models/index.ts';
import type { ModelConfig, ProviderName, Transcriber } from '../models/index.ts';
import { resolveModelEndpoint } from './agent-model.ts';
import type { MissingModel } from './agent-model.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';

export const transcribingProviders: readonly ProviderName[] = providerNames.filter(supportsTranscription);

/** The model that transcribes recordings, or the error that says what is missing; null when none is configured. */
export function resolveTranscriptionModel(environment: Environment): ModelConfig | MissingModel | null {
  const { transcription, transcriptionBaseUrl } = readConfiguration(environment);
  const name = environment.variable('KEEPSAKE_TRANSCRIPTION') ?? transcription;
  if (name === undefined) return null;
  return resolveModelEndpoint(
    environment,
    { command: 'transcription', variable: 'KEEPSAKE_TRANSCRIPTION', providers: transcribingProviders },
    name,
    transcriptionBaseUrl,
  );
}

/** Null when no model is configured. A model that is configured but unavailable throws the reason when it is used. */
export function createConfiguredTranscriber(environment: Environment): Transcriber | null {
  const chosen = resolveTranscriptionModel(environment);
  if (chosen === null || !('missing' in chosen)) return chosen && createTranscriber(chosen);
  const { message, hint } = chosen.missing;
  return async () => {
    throw new ModelError('refused', message, { hint });
  };
}
