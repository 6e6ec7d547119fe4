import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { configurationText, placeOf } from './configuration-text.ts';
import { nearestVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

const remoteModel = z.strictObject({
  baseUrl: z.url().describe('Where an OpenAI-compatible server answers, as http://127.0.0.1:11434/v1'),
  model: z.string(),
  keyVariable: z.string().optional().describe('The environment variable that holds its key'),
});

const searchModel = z.union([z.strictObject({ file: z.string().describe('A GGUF file') }), remoteModel]);

const price = z.number().nonnegative();

const configuration = z.strictObject({
  vault: z.string().optional().describe('The vault to use when none is named and none is around'),
  machine: z.string().optional().describe('What this machine is called where several have one vault'),
  model: z.string().optional().describe('The model of the agents, as anthropic/<name> or ollama/<name>'),
  modelBaseUrl: z.url().optional().describe('Where it answers, if elsewhere than usual'),
  context: z.int().positive().optional().describe('How many tokens it takes'),
  transcription: z
    .string()
    .optional()
    .describe('The model that transcribes recordings, as openai/<name> or mistral/<name>'),
  transcriptionBaseUrl: z.url().optional().describe('Where it answers, if elsewhere than usual'),
  prices: z
    .strictObject({
      input: price,
      output: price,
      cachedInput: price.optional(),
      cacheWrite: price.optional(),
    })
    .optional()
    .describe('What a million tokens of it cost'),
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
    .describe('How much a run of an agent, and all runs of a day, may take'),
  agents: z
    .strictObject({
      exclude: z.array(z.string()).describe('Path patterns that agents never see, as private/**'),
    })
    .optional(),
  signIn: z
    .strictObject({
      issuer: z.url().describe('Any provider of OpenID Connect, as https://accounts.example.org'),
      clientId: z.string(),
      secretVariable: z.string().optional().describe('The environment variable that holds its client secret'),
      allow: z.array(z.string()).describe('Who is you: subjects, or verified addresses'),
    })
    .optional()
    .describe('Who may sign in through a provider, with serve --public'),
  search: z
    .strictObject({
      embedder: searchModel.optional().describe('Compares meanings'),
      expander: searchModel.optional().describe('Rephrases queries'),
      reranker: searchModel.optional().describe('Reads the best results once more'),
    })
    .optional()
    .describe('The models of deep search'),
});

export type Configuration = z.infer<typeof configuration>;
export type SearchModel = z.infer<typeof searchModel>;
export type RemoteModel = z.infer<typeof remoteModel>;

/** A file that is not there is an empty configuration. */
export function readConfiguration({ configFile }: Environment): Configuration {
  return parseConfiguration(configurationText(configFile), configFile);
}

export function parseConfiguration(text: string, configFile: string): Configuration {
  let data: unknown;
  try {
    data = parse(text) ?? {};
  } catch (cause) {
    throw new AppError('bad-configuration', `${configFile} cannot be read as YAML`, {
      mend: 'correct or delete it',
      cause,
    });
  }
  return checkConfiguration(data, configFile);
}

export function checkConfiguration(data: unknown, configFile: string): Configuration {
  const parsed = configuration.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new AppError('bad-configuration', `${configFile} is not valid\n${z.prettifyError(parsed.error)}`, {
    mend: 'correct or delete it',
  });
}

/** As configured, else what the system calls it. */
export function machineName(environment: Environment): string {
  return readConfiguration(environment).machine ?? environment.hostName;
}

/** `--vault`, else `KEEPSAKE_VAULT`, else the nearest parent with `.keepsake/`, else the configured one. */
export function chooseVault(named: string | undefined, environment: Environment): string {
  const choice =
    named ?? environment.vault ?? nearestVault(environment.cwd()) ?? configuredVault(environment);
  if (choice !== undefined) return environment.resolve(choice);
  const usual = join(environment.home, 'vault');
  throw new AppError('no-vault', 'no vault here', {
    mend:
      nearestVault(usual) === usual
        ? `go into one, name one with --vault, or use ${usual} from anywhere with: keepsake config vault ${usual}`
        : `go into one, name one with --vault, or create one with: keepsake init ${usual}`,
  });
}

export function configuredVault(environment: Environment): string | undefined {
  const { vault } = readConfiguration(environment);
  return vault && placeOf(vault, environment);
}
