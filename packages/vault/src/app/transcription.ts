import { canTranscribe, createTranscriber, ModelError, providerNames } from '../models/index.ts';
import type { ModelChoice, ProviderName, Transcriber } from '../models/index.ts';
import { reachModel } from './agent-model.ts';
import type { Missing } from './agent-model.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';

export const transcribingProviders: readonly ProviderName[] = providerNames.filter(canTranscribe);

/** The model that transcribes recordings, or what is missing for it; null when none is chosen. */
export function chooseTranscription(environment: Environment): ModelChoice | Missing | null {
  const { transcription, transcriptionBaseUrl } = readConfiguration(environment);
  const name = environment.variable('KEEPSAKE_TRANSCRIPTION') ?? transcription;
  if (name === undefined) return null;
  return reachModel(
    environment,
    { command: 'transcription', variable: 'KEEPSAKE_TRANSCRIPTION', providers: transcribingProviders },
    name,
    transcriptionBaseUrl,
  );
}

/** Null when no model is chosen. One that is chosen but cannot be had says why when it is used. */
export function transcriberOf(environment: Environment): Transcriber | null {
  const chosen = chooseTranscription(environment);
  if (chosen === null || !('missing' in chosen)) return chosen && createTranscriber(chosen);
  const { message, mend } = chosen.missing;
  return async () => {
    throw new ModelError('refused', message, { mend });
  };
}
