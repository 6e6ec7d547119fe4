import { calculateCost, ModelError, parseModelName, providerNames, testModel } from '../models/index.ts';
import type { Prices, ModelTestResult } from '../models/index.ts';
import { resolveAgentModel } from './agent-model.ts';
import { changeConfiguration, writeConfiguration } from './write-configuration.ts';
import type { ConfigurationValue } from './write-configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

export type ModelSettings = {
  modelBaseUrl?: string | undefined;
  context?: number | undefined;
  modelTimeout?: number | undefined;
  prices?: Prices | undefined;
};

/** Sets the model of the agents and discards the settings of the previous one; null removes it; undefined changes only `settings`. */
export function setAgentModel(
  environment: Environment,
  name: string | null | undefined,
  settings: ModelSettings,
): void {
  const values = toConfigurationValues(name, settings);
  if (values.length > 0) writeConfiguration(environment, ...values);
}

/** The environment as it would be with this model, which is not stored, so that it can be tested first. */
export function withCandidateModel(
  environment: Environment,
  name: string,
  settings: ModelSettings,
): Environment {
  const values = toConfigurationValues(name, settings);
  return { ...environment, candidateConfiguration: changeConfiguration(environment.configFile, values) };
}

function toConfigurationValues(
  name: string | null | undefined,
  { modelBaseUrl, context, modelTimeout, prices }: ModelSettings,
): ConfigurationValue[] {
  if (name != null && parseModelName(name) === null)
    throw new AppError(
      'bad-input',
      `unknown provider in model ${name}; use one of ${providerNames.join(', ')}`,
    );
  return Object.entries({ model: name, modelBaseUrl, context, modelTimeout, prices })
    .filter(([, value]) => name !== undefined || value !== undefined)
    .map(([place, value]) => ({ place: [place], value: value ?? null }));
}

/** `cost` is null when no price is configured. */
export type ConfiguredModelTest = { name: string; trial: ModelTestResult; cost: number | null };

/**
 * Tests the model that the agents would use now, and stores its context window if the server reports one and the model is stored. Throws
 * when there is no model or it does not answer.
 */
export async function testConfiguredModel(
  environment: Environment,
  signal: AbortSignal,
): Promise<ConfiguredModelTest> {
  const chosen = resolveAgentModel(environment);
  if ('missing' in chosen) throw chosen.missing;
  const { model, prices } = chosen;
  const trial = await testModel(model, signal);
  if (environment.candidateConfiguration === undefined) await storeContextLimit(environment, signal);
  return { name: model.name, trial, cost: calculateCost(trial.usage, prices) };
}

/**
 * Stores the context window that the server reports, unless one is configured. A failed lookup is ignored, because the
 * model itself has just answered.
 */
export async function storeContextLimit(environment: Environment, signal: AbortSignal): Promise<void> {
  const configured = readConfiguration(environment);
  const chosen = resolveAgentModel(environment);
  if ('missing' in chosen || configured.context !== undefined) return;
  const { model } = chosen;
  if (configured.model !== model.name) return;
  try {
    const { contextTokens } = await model.fetchInfo(AbortSignal.any([signal, AbortSignal.timeout(5_000)]));
    if (contextTokens !== null) writeConfiguration(environment, { place: ['context'], value: contextTokens });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
}
