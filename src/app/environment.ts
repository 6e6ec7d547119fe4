import { existsSync, readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { identityFolder, systemCode } from '../vault/index.ts';
import type { Language } from '../vault/index.ts';
import { AppError } from './error.ts';

/** Everything Keepsake takes from the process around it. No other module reads the environment. */
export type Environment = {
  home: string;
  stateHome: string;
  /** Models and their runtime: large, the same for all vaults. */
  dataHome: string;
  configFile: string;
  /** `KEEPSAKE_VAULT` */
  vault: string | undefined;
  language: Language;
  /** What the system calls this machine. */
  hostName: string;
  /** `PATH` */
  searchPath: string;
  /** The value of a variable, undefined when it is empty. Keys are read when they are needed, and kept nowhere. */
  variable: (name: string) => string | undefined;
};

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const home = homedir();
  const platform = {
    darwin: {
      state: 'Library/Application Support',
      data: 'Library/Application Support',
      config: 'Library/Preferences',
    },
    win32: { state: 'AppData/Local', data: 'AppData/Local', config: 'AppData/Roaming' },
  }[process.platform as string] ?? { state: '.local/state', data: '.local/share', config: '.config' };
  const locale = variables['LC_ALL'] || variables['LC_MESSAGES'] || variables['LANG'] || '';
  return {
    home,
    stateHome: join(variables['XDG_STATE_HOME'] || join(home, platform.state), 'keepsake'),
    dataHome: join(variables['XDG_DATA_HOME'] || join(home, platform.data), 'keepsake'),
    configFile: join(variables['XDG_CONFIG_HOME'] || join(home, platform.config), 'keepsake', 'config.yaml'),
    vault: variables['KEEPSAKE_VAULT'] || undefined,
    language: locale.startsWith('fr') ? 'fr' : 'en',
    hostName: hostname(),
    searchPath: variables['PATH'] ?? '',
    variable: (name) => variables[name] || undefined,
  };
}

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

/** Empty when there is no file. */
export function configurationText(configFile: string): string {
  try {
    return readFileSync(configFile, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')) return '';
    throw new AppError('bad-configuration', `${configFile} cannot be read`, {
      mend: 'make it readable',
      cause,
    });
  }
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
export function chooseVault(
  named: string | undefined,
  environment: Environment,
  cwd = process.cwd(),
): string {
  const choice = named ?? environment.vault ?? nearestVault(cwd) ?? configuredVault(environment);
  if (choice !== undefined) return resolve(cwd, choice);
  const usual = join(environment.home, 'vault');
  throw new AppError('no-vault', 'no vault here', {
    mend:
      nearestVault(usual) === usual
        ? `go into one, name one with --vault, or use ${usual} from anywhere with: keepsake config vault ${usual}`
        : `go into one, name one with --vault, or create one with: keepsake init ${usual}`,
  });
}

/** As written in the file: `~/` is the home folder, anything relative starts from the file. */
export function configuredVault(environment: Environment): string | undefined {
  const { vault } = readConfiguration(environment);
  return vault && resolve(dirname(environment.configFile), vault.replace(/^~(?=\/|$)/, environment.home));
}

/** The folder itself, or the nearest above it. */
export function nearestVault(folder: string): string | undefined {
  if (existsSync(join(folder, identityFolder))) return folder;
  return dirname(folder) === folder ? undefined : nearestVault(dirname(folder));
}
