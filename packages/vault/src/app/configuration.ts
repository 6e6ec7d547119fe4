import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfigurationText, resolveConfiguredPath } from './configuration-text.ts';
import { findNearestVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { retentionSettings } from './retention-settings.ts';
import { tidyingSettings } from './tidying-settings.ts';

const remoteModel = z.strictObject({
  baseUrl: z.url().describe('Base URL of an OpenAI-compatible server, for example http://127.0.0.1:11434/v1'),
  model: z.string(),
  keyVariable: z.string().optional().describe('Environment variable with the API key'),
});

const searchModel = z.union([z.strictObject({ file: z.string().describe('A GGUF file') }), remoteModel]);

/** One day, in seconds. */
export const maxModelTimeout = 86_400;

const price = z.number().nonnegative();

const configuration = z.strictObject({
  vault: z.string().optional().describe('Default vault, used when none is named and no parent folder is one'),
  machine: z.string().optional().describe('Name of this machine, to tell machines that share a vault apart'),
  model: z.string().optional().describe('Model of the agents, for example anthropic/<name> or ollama/<name>'),
  modelBaseUrl: z.url().optional().describe('Base URL, if not the default of the provider'),
  context: z.int().positive().optional().describe('Context window in tokens'),
  modelTimeout: z
    .number()
    .positive()
    .max(maxModelTimeout)
    .optional()
    .describe(
      'Seconds without any data before a request to the model is given up, also before the first token. Default: 600 on this machine and in private networks, otherwise 120',
    ),
  transcription: z
    .string()
    .optional()
    .describe('Model that transcribes recordings, for example openai/<name> or mistral/<name>'),
  transcriptionBaseUrl: z.url().optional().describe('Base URL, if not the default of the provider'),
  prices: z
    .strictObject({
      input: price,
      output: price,
      cachedInput: price.optional(),
      cacheWrite: price.optional(),
    })
    .optional()
    .describe('Prices per million tokens'),
  limits: z
    .strictObject({
      steps: z.int().positive(),
      tokens: z.int().positive(),
      minutes: z.number().positive(),
      cost: z.number().nonnegative(),
      dailyCost: z.number().nonnegative(),
      dailyTokens: z.int().nonnegative(),
    })
    .partial()
    .optional()
    .describe('Limits for one run of an agent and for all runs of a day'),
  agents: z
    .strictObject({
      exclude: z
        .array(z.string())
        .describe('Patterns of files that are hidden from AI, for example private/**'),
    })
    .optional(),
  retention: retentionSettings.optional(),
  tidying: tidyingSettings.optional(),
  signIn: z
    .strictObject({
      issuer: z.url().describe('OpenID Connect provider, for example https://accounts.example.org'),
      clientId: z.string(),
      secretVariable: z.string().optional().describe('Environment variable with the client secret'),
      allow: z.array(z.string()).describe('Your accounts: subjects or verified email addresses'),
    })
    .optional()
    .describe('Sign-in through an OpenID Connect provider, with serve --public'),
  search: z
    .strictObject({
      embedder: searchModel.optional().describe('Embedding model for search by meaning'),
      expander: searchModel.optional().describe('Model that rephrases queries'),
      reranker: searchModel.optional().describe('Model that reranks the best results'),
    })
    .optional()
    .describe('Models of deep search'),
});

export type Configuration = z.infer<typeof configuration>;
export type SearchModel = z.infer<typeof searchModel>;
export type RemoteModel = z.infer<typeof remoteModel>;

/** A missing file counts as an empty configuration. */
export function readConfiguration({ configFile, candidateConfiguration }: Environment): Configuration {
  return parseConfiguration(candidateConfiguration ?? readConfigurationText(configFile), configFile);
}

export function parseConfiguration(text: string, configFile: string): Configuration {
  let data: unknown;
  try {
    data = parse(text) ?? {};
  } catch (cause) {
    throw new AppError('bad-configuration', `${configFile} is not valid YAML`, {
      hint: 'fix or delete it',
      cause,
    });
  }
  return validateConfiguration(data, configFile);
}

export function validateConfiguration(data: unknown, configFile: string): Configuration {
  const parsed = configuration.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new AppError('bad-configuration', `${configFile} is not valid\n${z.prettifyError(parsed.error)}`, {
    hint: 'fix or delete it',
  });
}

/** The configured name of this machine, else its host name. */
export function readMachineName(environment: Environment): string {
  return readConfiguration(environment).machine ?? environment.hostName;
}

/** `--vault`, else `KEEPSAKE_VAULT`, else the nearest parent with `.keepsake/`, else the configured vault. Throws if there is none. */
export function resolveVault(named: string | undefined, environment: Environment): string {
  const choice =
    named ?? environment.vault ?? findNearestVault(environment.cwd()) ?? readConfiguredVault(environment);
  if (choice !== undefined) return environment.resolve(choice);
  const defaultVault = join(environment.home, 'vault');
  throw new AppError('no-vault', 'no vault found', {
    hint:
      findNearestVault(defaultVault) === defaultVault
        ? `change to a vault, pass --vault, or use ${defaultVault} from anywhere with: keepsake config vault ${defaultVault}`
        : `change to a vault, pass --vault, or create one with: keepsake init ${defaultVault}`,
  });
}

export function readConfiguredVault(environment: Environment): string | undefined {
  const { vault } = readConfiguration(environment);
  return vault && resolveConfiguredPath(vault, environment);
}
