import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createAgentModel, parseModelName, providerNames, providers, usualLimits } from '../agents/index.ts';
import type { AgentModel, Limits, Prices, ProviderName } from '../agents/index.ts';
import { readConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

export type AgentConfiguration = {
  model: AgentModel;
  prices: Prices | null;
  limits: Limits;
  /** Path patterns that agents never see. */
  exclude: readonly string[];
};

/** The model that the agents use, or why there is none and what to do. */
export function chooseAgentModel(environment: Environment): AgentConfiguration | { missing: string } {
  const configured = readConfiguration(environment);
  const name = environment.secret('KEEPSAKE_MODEL') ?? configured.model;
  if (name === undefined)
    return {
      missing: 'no model is chosen for the agents; choose one with: keepsake config model anthropic/<name>',
    };
  const parsed = parseModelName(name);
  if (parsed === null)
    return { missing: `the model ${name} has no known provider; write it as one of ${modelForms}` };
  const { provider, model } = parsed;
  const baseUrl = environment.secret('KEEPSAKE_MODEL_BASE_URL') ?? configured.modelBaseUrl;
  if (baseUrl === undefined && providers[provider].baseUrl === null)
    return {
      missing: `${name} needs an address: keepsake config model ${name} --url http://127.0.0.1:8080/v1`,
    };
  const apiKey = findKey(environment, provider);
  const { keyVariable } = providers[provider];
  if (apiKey === undefined && keyVariable !== null)
    return {
      missing: `there is no key for ${provider}; set ${keyVariable}, or run: keepsake config key ${provider}`,
    };
  return {
    model: createAgentModel({ provider, model, baseUrl, apiKey }),
    prices: configured.prices ?? null,
    limits: { ...usualLimits, ...(configured.limits as Partial<Limits>) },
    exclude: configured.agents?.exclude ?? [],
  };
}

const modelForms = providerNames.map((name) => `${name}/<model>`).join(', ');

function keyFile({ configFile }: Environment, provider: ProviderName): string {
  return join(dirname(configFile), 'keys', provider);
}

/** From the environment, else from a file that nobody else can read. */
function findKey(environment: Environment, provider: ProviderName): string | undefined {
  const { keyVariable } = providers[provider];
  const named =
    environment.secret('KEEPSAKE_MODEL_API_KEY') ??
    (keyVariable === null ? undefined : environment.secret(keyVariable));
  const file = keyFile(environment, provider);
  if (named !== undefined || !existsSync(file)) return named;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new AppError('bad-configuration', `${file} can be read by others; run: chmod 600 '${file}'`);
  return readFileSync(file, 'utf8').trim();
}

/** Where the key of a provider comes from; never the key. */
export function describeKey(environment: Environment, provider: ProviderName): string {
  const variables = ['KEEPSAKE_MODEL_API_KEY', providers[provider].keyVariable];
  const variable = variables.find((each) => each !== null && environment.secret(each) !== undefined);
  if (variable != null) return `from ${variable}`;
  if (existsSync(keyFile(environment, provider))) return `from ${keyFile(environment, provider)}`;
  return providers[provider].keyVariable === null ? 'none needed' : 'missing';
}

/** Keeps a key beside the configuration, readable by the person alone. */
export function storeKey(environment: Environment, provider: ProviderName, key: string): string {
  const file = keyFile(environment, provider);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A file that is there keeps the permissions it has.
  rmSync(file, { force: true });
  writeFileSync(file, `${key.trim()}\n`, { mode: 0o600 });
  return file;
}
