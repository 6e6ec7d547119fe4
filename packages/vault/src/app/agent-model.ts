import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatReason } from '../contract/index.ts';
import type { KeepsakeErrorOptions, Reason } from '../contract/index.ts';
import {
  createChatModel,
  findInstalledTool,
  findProgram,
  parseModelName,
  providerNames,
  providers,
  defaultRunLimits,
  remoteProviderNames,
  toolProviderNames,
} from '../models/index.ts';
import type {
  InstalledTool,
  RunLimits,
  ModelConfig,
  Prices,
  ProviderName,
  RemoteChatModel,
} from '../models/index.ts';
import { createChatGptTokenSource } from './chatgpt-access-token.ts';
import { chatGptStatus } from './chatgpt-account.ts';
import { maxModelTimeout, readConfiguration } from './configuration.ts';
import type { Configuration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { readPrivateFile } from './private-file.ts';

export type AgentConfiguration = {
  model: RemoteChatModel;
  prices: Prices | null;
  /** The context window in tokens, as configured or as known for the provider; null when unknown. */
  contextTokens: number | null;
  limits: RunLimits;
};

/** Why no model is available. Callers that need a model throw the error; others display it. */
export type MissingModel = { missing: AppError };

/** The model that the agents use, or an error that says why there is none and what to do. */
export function resolveAgentModel(environment: Environment): AgentConfiguration | MissingModel {
  const configured = readConfiguration(environment);
  const name = configuredModelName(environment);
  if (name === undefined)
    return missing(formatReason('no-model-chosen', {}), {
      hint: `choose one with: keepsake config model ${suggestModels(environment).join(' or ')}`,
    });
  const role = { command: 'model', variable: 'KEEPSAKE_MODEL', providers: providerNames } as const;
  const { context, prices, modelBaseUrl, modelTimeout } = settingsForModel(name, configured);
  const choice = resolveModelEndpoint(environment, role, name, modelBaseUrl);
  if ('missing' in choice) return choice;
  const timeoutSeconds = readTimeout(environment) ?? modelTimeout;
  const model = createChatModel({ ...choice, contextTokens: context, timeoutSeconds });
  return {
    model,
    contextTokens: context ?? providers[choice.provider].contextTokens ?? null,
    prices: prices ?? null,
    limits: {
      ...defaultRunLimits,
      minutes: Math.max(defaultRunLimits.minutes, (minStepsInTime * model.timeoutSeconds) / 60),
      ...(configured.limits as Partial<RunLimits>),
    },
  };
}

/** A run has time for this many steps of a model that takes as long as it may. */
const minStepsInTime = 3;

function readTimeout(environment: Environment): number | undefined {
  const named = environment.variable('KEEPSAKE_MODEL_TIMEOUT');
  const seconds = Number(named);
  if (named === undefined || (seconds > 0 && seconds <= maxModelTimeout))
    return named === undefined ? undefined : seconds;
  throw new AppError('bad-configuration', `KEEPSAKE_MODEL_TIMEOUT is not a number of seconds: ${named}`, {
    hint: 'set it to the seconds to wait for the model, for example 600',
  });
}

/**
 * The settings that apply to model `name`. Context window, timeout and prices belong to the configured model only, and the base
 * URL only to its provider, so that the key of one provider is never sent to another.
 */
function settingsForModel(
  name: string,
  { model = name, context, prices, modelBaseUrl, modelTimeout }: Configuration,
): Pick<Configuration, 'context' | 'prices' | 'modelBaseUrl' | 'modelTimeout'> {
  if (model === name) return { context, prices, modelBaseUrl, modelTimeout };
  return parseModelName(model)?.provider === parseModelName(name)?.provider ? { modelBaseUrl } : {};
}

/** The name of the configured model, whether or not it can be used. */
export function configuredModelName(environment: Environment): string | undefined {
  return environment.variable('KEEPSAKE_MODEL') ?? readConfiguration(environment).model;
}

/**
 * What a model is used for: the command and the environment variable that set it, and the providers that support it.
 */
type ModelPurpose = {
  command: 'model' | 'transcription';
  variable: 'KEEPSAKE_MODEL' | 'KEEPSAKE_TRANSCRIPTION';
  providers: readonly ProviderName[];
};

/** Resolves the endpoint and key of the model called `name`, or the error that says what is missing. */
export function resolveModelEndpoint(
  environment: Environment,
  role: ModelPurpose,
  name: string,
  configuredUrl: string | undefined,
): ModelConfig | MissingModel {
  const { command, variable } = role;
  const parsed = parseModelName(name);
  if (parsed === null || !role.providers.includes(parsed.provider)) {
    const forms = role.providers.map((provider) => `${provider}/<model>`).join(', ');
    return missing(`unknown provider in model ${name}`, { hint: `use one of ${forms}` });
  }
  const { provider, model } = parsed;
  const tool = findInstalledTool(provider);
  if (tool !== null) return resolveInstalledTool(environment, tool, { provider, model });
  const { keyVariable, baseUrl: defaultUrl } = providers[provider];
  const baseUrl = environment.variable(`${variable}_BASE_URL`) ?? configuredUrl ?? defaultUrl;
  if (baseUrl === null)
    return missing(`${name} needs a base URL`, {
      hint: `set it with: keepsake config ${command} ${name} --url http://127.0.0.1:8080/v1`,
    });
  const apiKey = findKey(environment, provider, variable);
  if (apiKey === undefined && keyVariable !== null) {
    const canUsePlan = provider === 'openai' && command === 'model' && !environment.servesOthers;
    const status = chatGptStatus(environment);
    // The token is sent to OpenAI only, whatever base URL is configured.
    const isPlanEndpoint = canUsePlan && baseUrl === defaultUrl;
    if (isPlanEndpoint && status.state === 'unreadable') throw status.problem;
    if (isPlanEndpoint && status.state === 'signed-in')
      return {
        provider,
        model,
        baseUrl: environment.chatGpt.resource,
        accessToken: createChatGptTokenSource(environment),
      };
    const signIn = canUsePlan ? ', or sign in with: keepsake config login chatgpt' : '';
    return missing(formatReason('no-key', { provider }), {
      hint: `set ${keyVariable}, or run: keepsake config key ${provider}${signIn}`,
    });
  }
  return { provider, model, baseUrl, apiKey };
}

/** Looks for the program without starting it. */
function resolveInstalledTool(
  environment: Environment,
  { title, executable }: InstalledTool,
  chosen: Pick<ModelConfig, 'provider' | 'model'>,
): ModelConfig | MissingModel {
  if (environment.servesOthers)
    return missing(
      `${title} is for your own use on your own machine, not for a server that others can reach`,
      {
        hint: 'choose a model with an API key: keepsake config model anthropic/<name>',
      },
    );
  const { searchPath, variables, home, stateHome } = environment;
  const file = findProgram(executable, searchPath);
  if (file === null)
    return missing(`${title} is not installed: ${executable} is not in PATH`, {
      hint: `install it, or choose another model with: keepsake config model`,
    });
  return { ...chosen, program: { file, variables, home, folder: join(stateHome, 'agent') } };
}

/** The tool behind a provider as a model, for a question about its sign-in; null if it cannot be used here. */
export function resolveInstalledModel(
  environment: Environment,
  provider: ProviderName,
): RemoteChatModel | null {
  const tool = findInstalledTool(provider);
  if (tool === null) return null;
  const chosen = resolveInstalledTool(environment, tool, { provider, model: tool.suggestedModel });
  return 'missing' in chosen ? null : createChatModel(chosen);
}

/** The models that seem to work on this machine, as arguments of `config model`. Starts and contacts nothing. */
export function suggestModels(environment: Environment): string[] {
  const tools = toolProviderNames.flatMap(
    (provider) => resolveInstalledModel(environment, provider)?.name ?? [],
  );
  const withKey = remoteProviderNames
    .filter((provider) => ['variable', 'file', 'account'].includes(getKeySource(environment, provider)))
    .map((provider) => `${provider}/<name>`);
  const found = [...tools, ...withKey];
  return found.length === 0 ? ['anthropic/<name>'] : found;
}

function missing(problem: string | Reason, advice: KeepsakeErrorOptions): MissingModel {
  return { missing: new AppError('no-model', problem, advice) };
}

function keyFile({ configFile }: Environment, provider: ProviderName): string {
  return join(dirname(configFile), 'keys', provider);
}

/** Reads the key from the environment, else from the key file, which must be private to the user. */
function findKey(
  environment: Environment,
  provider: ProviderName,
  variable: ModelPurpose['variable'],
): string | undefined {
  const { keyVariable } = providers[provider];
  const named =
    environment.variable(`${variable}_API_KEY`) ??
    (keyVariable === null ? undefined : environment.variable(keyVariable));
  return named ?? readPrivateFile(keyFile(environment, provider))?.trim();
}

/** Describes where the key of a provider comes from, without the key itself. */
export function describeKeySource(
  environment: Environment,
  provider: ProviderName,
  role: ModelPurpose['variable'] = 'KEEPSAKE_MODEL',
): string {
  const variables = [`${role}_API_KEY`, providers[provider].keyVariable];
  const variable = variables.find((each) => each !== null && environment.variable(each) !== undefined);
  if (variable != null) return `from ${variable}`;
  if (existsSync(keyFile(environment, provider))) return `from ${keyFile(environment, provider)}`;
  if (provider === 'openai' && role === 'KEEPSAKE_MODEL' && chatGptStatus(environment).state === 'signed-in')
    return signedIn;
  return providers[provider].keyVariable === null ? 'none needed' : 'missing';
}

const signedIn = 'not needed: signed in with ChatGPT';

/** Where the key of a provider comes from, as one word. */
export function getKeySource(
  environment: Environment,
  provider: ProviderName,
): 'unneeded' | 'missing' | 'variable' | 'file' | 'account' {
  const described = describeKeySource(environment, provider);
  if (described === signedIn) return 'account';
  if (described === 'none needed') return 'unneeded';
  if (described === 'missing') return 'missing';
  return described === `from ${keyFile(environment, provider)}` ? 'file' : 'variable';
}

/**
 * Whether a browser may choose this address for a provider without entering its key again: the address of the provider
 * itself, or the one that was chosen together with the key, here or in the environment.
 */
export function isAddressOfKey(
  environment: Environment,
  provider: ProviderName,
  url: string | undefined,
): boolean {
  const { model = '', modelBaseUrl } = readConfiguration(environment);
  const configured = parseModelName(model)?.provider === provider ? modelBaseUrl : undefined;
  const known = [
    undefined,
    providers[provider].baseUrl,
    environment.variable('KEEPSAKE_MODEL_BASE_URL'),
    configured,
  ];
  return known.includes(url);
}

/** Stores a key next to the configuration, readable only by the user. Returns the path of the file. */
export function storeApiKey(environment: Environment, provider: ProviderName, key: string): string {
  const file = keyFile(environment, provider);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Writing to an existing file would keep its permissions, which may be too open.
  rmSync(file, { force: true });
  writeFileSync(file, `${key.trim()}\n`, { mode: 0o600 });
  return file;
}
