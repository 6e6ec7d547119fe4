import { Command } from 'commander';
import {
  AppError,
  resolveTranscriptionModel,
  describeKeySource,
  writeConfiguration,
  transcribingProviders,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { parseModelName } from '../models/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

type Options = { url?: string; none?: boolean };

/** `show` prints the current choice. */
export function transcriptionCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('transcription')
    .summary('choose the model that transcribes recordings')
    .description('Choose the model that transcribes recordings. Without an argument, show the current one.')
    .argument('[model]', `one of ${transcribingProviders.map((name) => `${name}/<model>`).join(', ')}`)
    .option('--url <address>', "base URL, if not the provider's default")
    .option('--none', 'disable transcription')
    .action((name: string | undefined, options: Options) => {
      if (name !== undefined || Object.keys(options).length > 0) choose(cli.environment, name, options);
      show(describeChoice(cli.environment));
    });
  return withExamples(command, [
    'config transcription',
    'config transcription openai/<name>',
    'config transcription openai-compatible/<name> --url http://127.0.0.1:8000/v1',
    'config transcription --none',
  ]);
}

/** One line for the overview of the configuration. */
export function describeTranscription(environment: Environment): string {
  const chosen = resolveTranscriptionModel(environment);
  if (chosen === null)
    return 'no transcription model; choose one with: keepsake config transcription openai/<name>';
  return 'missing' in chosen ? describeError(chosen.missing) : `${chosen.provider}/${chosen.model}`;
}

function describeChoice(environment: Environment): Record<string, string> {
  const chosen = resolveTranscriptionModel(environment);
  const model = describeTranscription(environment);
  const file = environment.configFile;
  if (chosen === null || 'missing' in chosen) return { file, model };
  return {
    file,
    model,
    address: chosen.baseUrl ?? '',
    key: describeKeySource(environment, chosen.provider, 'KEEPSAKE_TRANSCRIPTION'),
  };
}

function choose(environment: Environment, name: string | undefined, { url, none }: Options): void {
  if ((name === undefined) !== (none === true) || (none === true && url !== undefined))
    throw new AppError('bad-input', 'pass a model, with --url if it needs one, or --none');
  const provider = name === undefined ? undefined : parseModelName(name)?.provider;
  if (name !== undefined && (provider === undefined || !transcribingProviders.includes(provider)))
    throw new AppError(
      'bad-input',
      `the provider of ${name} does not support transcription; use one of ${transcribingProviders.join(', ')}`,
    );
  writeConfiguration(
    environment,
    { place: ['transcription'], value: name ?? null },
    { place: ['transcriptionBaseUrl'], value: url ?? null },
  );
}
