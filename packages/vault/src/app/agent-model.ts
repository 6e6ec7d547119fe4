import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonFor } from '../contract/index.ts';
import type { Advice, Reason } from '../contract/index.ts';
import { createChatModel, parseModelName, providerNames, providers, usualLimits } from '../models/index.ts';
import type { Limits, ModelChoice, Prices, ProviderName, RemoteChatModel } from '../models/index.ts';
import { readConfiguration } from './configuration.ts';
import type { Configuration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

export type AgentConfiguration = {
  model: RemoteChatModel;
  prices: Prices | null;
  /** How many tokens the model takes, as configured or asked for; null where nobody knows. */
  contextTokens: number | null;
  limits: Limits;
};

/** Why there is no model: for whoever needs one to throw, and for others to show. */
export type Missing = { missing: AppError };

/** The model that the agents use, or why there is none and what to do. */
export function chooseAgentModel(environment: Environment): AgentConfiguration | Missing {
  const configured = readConfiguration(environment);
  const name = agentModelName(environment);
  if (name === undefined)
    return missing(reasonFor('no-model-chosen', {}), {
      mend: 'choose one with: keepsake config model anthropic/<name>',
    });
  const role = { command: 'model', variable: 'KEEPSAKE_MODEL', providers: providerNames } as const;
  const { context, prices, modelBaseUrl } = configuredFor(name, configured);
  const choice = reachModel(environment, role, name, modelBaseUrl);
  if ('missing' in choice) return choice;
  return {
    model: createChatModel({ ...choice, contextTokens: context }),
    contextTokens: context ?? providers[choice.provider].contextTokens ?? null,
    prices: prices ?? null,
    limits: { ...usualLimits, ...(configured.limits as Partial<Limits>) },
  };
}

/**
 * What was measured and agreed for one model is not true of another that the environment names in its place; and the key of
 * one provider is not sent to the address of another.
 */
function configuredFor(
  name: string,
  { model = name, context, prices, modelBaseUrl }: Configuration,
): Pick<Configuration, 'context' | 'prices' | 'modelBaseUrl'> {
  if (model === name) return { context, prices, modelBaseUrl };
  return parseModelName(model)?.provider === parseModelName(name)?.provider ? { modelBaseUrl } : {};
}

/** The name of the model that is chosen, whether or not it can be had. */
export function agentModelName(environment: Environment): string | undefined {
  return environment.variable('KEEPSAKE_MODEL') ?? readConfiguration(environment).model;
}

/** What a model is chosen for: with which command, by which variables, and among which providers. */
type Role = {
  command: 'model' | 'transcription';
  variable: 'KEEPSAKE_MODEL' | 'KEEPSAKE_TRANSCRIPTION';
  providers: readonly ProviderName[];
};

/** How to reach the model of that name, or what is missing for it. */
export function reachModel(
  environment: Environment,
  role: Role,
  name: string,
  configuredUrl: string | undefined,
): ModelChoice | Missing {
  const { command, variable } = role;
  const parsed = parseModelName(name);
  if (parsed === null || !role.providers.includes(parsed.provider)) {
    const forms = role.providers.map((provider) => `${provider}/<model>`).join(', ');
    return missing(`the model ${name} has no known provider`, { mend: `write it as one of ${forms}` });
  }
  const { provider, model } = parsed;
  const { keyVariable, baseUrl: usual } = providers[provider];
  const baseUrl = environment.variable(`${variable}_BASE_URL`) ?? configuredUrl ?? usual;
  if (baseUrl === null)
    return missing(`${name} needs an address`, {
      mend: `give it with: keepsake config ${command} ${name} --url http://127.0.0.1:8080/v1`,
    });
  const apiKey = findKey(environment, provider, variable);
  if (apiKey === undefined && keyVariable !== null)
    return missing(reasonFor('no-key', { provider }), {
      mend: `set ${keyVariable}, or run: keepsake config key ${provider}`,
    });
  return { provider, model, baseUrl, apiKey };
}

function missing(problem: string | Reason, advice: Advice): Missing {
  return { missing: new AppError('no-model', problem, advice) };
}

function keyFile({ configFile }: Environment, provider: ProviderName): string {
  return join(dirname(configFile), 'keys', provider);
}

/** From the environment, else from a file that nobody else can read. What is named for one model is not sent to another. */
function findKey(
  environment: Environment,
  provider: ProviderName,
  variable: Role['variable'],
): string | undefined {
  const { keyVariable } = providers[provider];
  const named =
    environment.variable(`${variable}_API_KEY`) ??
    (keyVariable === null ? undefined : environment.variable(keyVariable));
  const file = keyFile(environment, provider);
  if (named !== undefined || !existsSync(file)) return named;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new AppError('bad-configuration', `${file} can be read by others`, {
      mend: `run: chmod 600 '${file}'`,
    });
  return readFileSync(file, 'utf8').trim();
}

/** Where the key of a provider comes from; never the key. */
export function describeKey(
  environment: Environment,
  provider: ProviderName,
  role: Role['variable'] = 'KEEPSAKE_MODEL',
): string {
  const variables = [`${role}_API_KEY`, providers[provider].keyVariable];
  const variable = variables.find((each) => each !== null && environment.variable(each) !== undefined);
  if (variable != null) return `from ${variable}`;
  if (existsSync(keyFile(environment, provider))) return `from ${keyFile(environment, provider)}`;
  return providers[provider].keyVariable === null ? 'none needed' : 'missing';
}

/** The same in a word. */
export function keySource(
  environment: Environment,
  provider: ProviderName,
): 'unneeded' | 'missing' | 'variable' | 'file' {
  const described = describeKey(environment, provider);
  if (described === 'none needed') return 'unneeded';
  if (described === 'missing') return 'missing';
  return described === `from ${keyFile(environment, provider)}` ? 'file' : 'variable';
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
