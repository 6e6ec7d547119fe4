import { calculateCost, ModelError, parseModelName, providerNames, testModel } from '../models/index.ts';
import type { Prices, RemoteChatModel, ModelTestResult } from '../models/index.ts';
import { resolveAgentModel } from './agent-model.ts';
import { writeConfiguration } from './write-configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

type ModelSettings = {
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
  if (name != null && parseModelName(name) === null)
    throw new AppError(
      'bad-input',
      `unknown provider in model ${name}; use one of ${providerNames.join(', ')}`,
    );
  const { modelBaseUrl, context, modelTimeout, prices } = settings;
  const values = { model: name, modelBaseUrl, context, modelTimeout, prices };
  const changedValues = Object.entries(values).filter(
    ([, value]) => name !== undefined || value !== undefined,
  );
  if (changedValues.length === 0) return;
  writeConfiguration(
    environment,
    ...changedValues.map(([place, value]) => ({ place: [place], value: value ?? null })),
  );
}

/** `cost` is null when no price is configured. */
export type ConfiguredModelTest = { name: string; trial: ModelTestResult; cost: number | null };

/**
 * Tests the model that the agents would use now, and stores its context window if the server reports one. Throws when there is no
 * model or it does not answer.
 */
export async function testConfiguredModel(
  environment: Environment,
  signal: AbortSignal,
): Promise<ConfiguredModelTest> {
  const chosen = resolveAgentModel(environment);
  if ('missing' in chosen) throw chosen.missing;
  const { model, prices } = chosen;
  const trial = await testModel(model, signal);
  await storeContextLimit(environment, model, signal);
  return { name: model.name, trial, cost: calculateCost(trial.usage, prices) };
}

/**
 * Stores the context window that the server reports, unless one is configured. A failed lookup is ignored, because the
 * model itself has just answered.
 */
async function storeContextLimit(
  environment: Environment,
  model: RemoteChatModel,
  signal: AbortSignal,
): Promise<void> {
  const configured = readConfiguration(environment);
  if (configured.context !== undefined || configured.model !== model.name) return;
  try {
    const { contextTokens } = await model.fetchInfo(AbortSignal.any([signal, AbortSignal.timeout(5_000)]));
    if (contextTokens !== null) writeConfiguration(environment, { place: ['context'], value: contextTokens });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
}
