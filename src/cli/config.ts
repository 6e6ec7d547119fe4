import { Argument, Command, InvalidArgumentError } from 'commander';
import {
  AppError,
  chooseAgentModel,
  describeKey,
  parseExclusion,
  readEnvironment,
  setConfigured,
  storeKey,
} from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { parseModelName, providerNames } from '../models/index.ts';
import type { ProviderName } from '../models/index.ts';
import { examples } from './command.ts';
import type { Finish } from './command.ts';
import { describeTranscription, transcriptionCommand } from './config-transcription.ts';
import { exitCode } from './exit-code.ts';
import { readSecret } from './standard-input.ts';

type ModelOptions = { url?: string; input?: number; output?: number; cached?: number };

export function configCommand(finish: Finish): Command {
  const done = (text: string): void => {
    process.stdout.write(`${text}\n`);
    finish(exitCode.ok);
  };
  const command = new Command('config')
    .summary('choose the model of the agents')
    .description('Shows the configuration of the agents. Keys are never shown.')
    .option('--json', 'print it for programs')
    .action(({ json }: { json?: boolean }) => {
      const shown = describe();
      done(json === true ? JSON.stringify(shown, null, 2) : table(shown));
    });
  const model = new Command('model')
    .summary('choose a model, and say what it costs')
    .argument('<model>', `as ${providerNames.map((name) => `${name}/<model>`).join(', ')}; or none`)
    .option('--url <address>', 'where it answers, if elsewhere than usual')
    .option('--input <price>', 'of a million tokens it reads', price)
    .option('--output <price>', 'of a million tokens it writes', price)
    .option('--cached <price>', 'of a million tokens it has read before', price)
    .action((name: string, options: ModelOptions) => {
      chooseModel(name, options);
      done(table(describe()));
    });
  const key = new Command('key')
    .summary('keep the key of a provider in a file that only you can read')
    .addArgument(new Argument('<provider>').choices(providerNames))
    .action(async (provider: ProviderName) => {
      const secret = await readSecret(`the key of ${provider}: `);
      if (secret.trim() === '') throw new AppError('bad-input', 'that key is empty; nothing was kept');
      done(`kept in ${storeKey(readEnvironment(), provider, secret)}`);
    });
  const exclude = new Command('exclude')
    .summary('keep files from the agents')
    .argument('[patterns...]', 'as private/**; none to keep nothing from them')
    .action((patterns: string[]) => {
      parseExclusion(patterns);
      setConfigured(readEnvironment(), { place: ['agents', 'exclude'], value: patterns });
      done(table(describe()));
    });
  const transcription = transcriptionCommand((shown) => done(table(shown)));
  for (const each of [model, key, exclude, transcription]) command.addCommand(each);
  examples(model, [
    'config model anthropic/<name> --input 3 --output 15 --cached 0.3',
    'config model ollama/qwen3',
    'config model openai-compatible/<name> --url http://127.0.0.1:8080/v1',
  ]);
  examples(key, ['config key anthropic', 'config key anthropic < key.txt']);
  return examples(command, ['config', 'config model ollama/qwen3', "config exclude 'private/**'"]);
}

function chooseModel(name: string, { url, input, output, cached }: ModelOptions): void {
  const environment = readEnvironment();
  if (name !== 'none' && parseModelName(name) === null)
    throw new AppError(
      'bad-input',
      `${name} has no known provider; the providers are ${providerNames.join(', ')}`,
    );
  if ((input === undefined) !== (output === undefined))
    throw new AppError('bad-input', 'a price needs both: --input and --output');
  const prices =
    input === undefined ? null : { input, output, ...(cached !== undefined && { cachedInput: cached }) };
  setConfigured(
    environment,
    { place: ['model'], value: name === 'none' ? null : name },
    { place: ['modelBaseUrl'], value: url ?? null },
    { place: ['prices'], value: prices },
  );
}

type Shown = Record<string, unknown>;

function describe(): Shown {
  const environment = readEnvironment();
  const chosen = chooseAgentModel(environment);
  const file = environment.configFile;
  const audio = describeTranscription(environment);
  if ('missing' in chosen) return { file, model: describeError(chosen.missing), audio };
  const { model, prices, limits } = chosen;
  const provider = parseModelName(model.name)?.provider ?? 'openai-compatible';
  return {
    file,
    model: model.name,
    address: model.endpoint.baseUrl,
    key: describeKey(environment, provider),
    prices: prices ?? 'unknown, so that the daily limit is one of tokens',
    limits,
    exclude: chosen.exclude,
    audio,
  };
}

function table(shown: Shown): string {
  return Object.entries(shown)
    .map(([name, value]) => `${name.padEnd(10)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function price(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('It must be a number, as 2.50.');
  return value;
}
