import { costOf, ModelError, parseModelName, providerNames, tryModel } from '../models/index.ts';
import type { Prices, RemoteChatModel, Trial } from '../models/index.ts';
import { chooseAgentModel } from './agent-model.ts';
import { setConfigured } from './change-configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

type About = {
  modelBaseUrl?: string | undefined;
  context?: number | undefined;
  prices?: Prices | undefined;
};

/** Another model begins anew, null takes it away; without one, only what is given changes. */
export function chooseModel(environment: Environment, name: string | null | undefined, about: About): void {
  if (name != null && parseModelName(name) === null)
    throw new AppError(
      'bad-input',
      `${name} has no known provider; the providers are ${providerNames.join(', ')}`,
    );
  const { modelBaseUrl, context, prices } = about;
  const values = { model: name, modelBaseUrl, context, prices };
  const given = Object.entries(values).filter(([, value]) => name !== undefined || value !== undefined);
  if (given.length === 0) return;
  setConfigured(environment, ...given.map(([place, value]) => ({ place: [place], value: value ?? null })));
}

/** `cost` is null where no price is known. */
export type TriedModel = { name: string; trial: Trial; cost: number | null };

/**
 * Tries the model that the agents would use now, and keeps how many tokens it takes where its server says so. Throws when
 * there is none, or it does not answer.
 */
export async function tryChosenModel(environment: Environment, signal: AbortSignal): Promise<TriedModel> {
  const chosen = chooseAgentModel(environment);
  if ('missing' in chosen) throw chosen.missing;
  const { model, prices } = chosen;
  const trial = await tryModel(model, signal);
  await keepContext(environment, model, signal);
  return { name: model.name, trial, cost: costOf(trial.usage, prices) };
}

/** Unless it is configured already. The model answers, so that what it does not tell about itself is no reason to complain. */
async function keepContext(
  environment: Environment,
  model: RemoteChatModel,
  signal: AbortSignal,
): Promise<void> {
  const configured = readConfiguration(environment);
  if (configured.context !== undefined || configured.model !== model.name) return;
  try {
    const { contextTokens } = await model.lookUp(AbortSignal.any([signal, AbortSignal.timeout(5_000)]));
    if (contextTokens !== null) setConfigured(environment, { place: ['context'], value: contextTokens });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
}
