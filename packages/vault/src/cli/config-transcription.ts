import { Command } from 'commander';
import {
  AppError,
  chooseTranscription,
  describeKey,
  setConfigured,
  transcribingProviders,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { parseModelName } from '../models/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';

type Options = { url?: string; none?: boolean };

/** `show` prints what is chosen now. */
export function transcriptionCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('transcription')
    .summary('choose a model that writes down recordings')
    .description('Chooses a model that writes down what is said in recordings, or shows which one is chosen.')
    .argument('[model]', `as ${transcribingProviders.map((name) => `${name}/<model>`).join(', ')}`)
    .option('--url <address>', 'where it answers, if elsewhere than usual')
    .option('--none', 'choose none any more')
    .action((name: string | undefined, options: Options) => {
      if (name !== undefined || Object.keys(options).length > 0) choose(cli.environment, name, options);
      show(shownTranscription(cli.environment));
    });
  return examples(command, [
    'config transcription',
    'config transcription openai/<name>',
    'config transcription openai-compatible/<name> --url http://127.0.0.1:8000/v1',
    'config transcription --none',
  ]);
}

/** In a few words, beside the rest of the configuration. */
export function describeTranscription(environment: Environment): string {
  const chosen = chooseTranscription(environment);
  if (chosen === null)
    return 'no model writes down recordings; choose one with: keepsake config transcription openai/<name>';
  return 'missing' in chosen ? describeError(chosen.missing) : `${chosen.provider}/${chosen.model}`;
}

function shownTranscription(environment: Environment): Record<string, string> {
  const chosen = chooseTranscription(environment);
  const model = describeTranscription(environment);
  const file = environment.configFile;
  if (chosen === null || 'missing' in chosen) return { file, model };
  return {
    file,
    model,
    address: chosen.baseUrl ?? '',
    key: describeKey(environment, chosen.provider, 'KEEPSAKE_TRANSCRIPTION'),
  };
}

function choose(environment: Environment, name: string | undefined, { url, none }: Options): void {
  if ((name === undefined) !== (none === true) || (none === true && url !== undefined))
    throw new AppError('bad-input', 'give a model, with --url if it needs one, or --none');
  const provider = name === undefined ? undefined : parseModelName(name)?.provider;
  if (name !== undefined && (provider === undefined || !transcribingProviders.includes(provider)))
    throw new AppError(
      'bad-input',
      `${name} has no provider that transcribes; those that do are ${transcribingProviders.join(', ')}`,
    );
  setConfigured(
    environment,
    { place: ['transcription'], value: name ?? null },
    { place: ['transcriptionBaseUrl'], value: url ?? null },
  );
}
