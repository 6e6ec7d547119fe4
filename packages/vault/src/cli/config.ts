import { Argument, Command } from 'commander';
import {
  AppError,
  chooseAgentModel,
  configuredVault,
  describeKey,
  readConfiguration,
  storeKey,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { parseModelName, providerNames } from '../models/index.ts';
import type { ProviderName } from '../models/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { captureModeCommand } from './config-capture.ts';
import { excludeCommand } from './config-exclude.ts';
import { machineCommand } from './config-machine.ts';
import { modelCommand } from './config-model.ts';
import { describeTranscription, transcriptionCommand } from './config-transcription.ts';
import { defaultVaultCommand } from './config-vault.ts';
import { exitCode } from './exit-code.ts';
import { readSecret } from './standard-input.ts';

export function configCommand(cli: Cli): Command {
  const done = (text: string): void => {
    cli.stdout.write(`${text}\n`);
    cli.finish(exitCode.ok);
  };
  const command = new Command('config')
    .summary('choose the model of the agents')
    .description('Shows the configuration of the agents. Keys are never shown.')
    .option('--json', 'print it for programs')
    .action(({ json }: { json?: boolean }) => {
      const shown = describe(cli.environment);
      done(json === true ? JSON.stringify(shown, null, 2) : table(shown));
    });
  const model = modelCommand(cli, () => cli.stdout.write(`${table(describe(cli.environment))}\n`));
  const key = new Command('key')
    .summary('keep the key of a provider in a file that only you can read')
    .addArgument(new Argument('<provider>').choices(providerNames))
    .action(async (provider: ProviderName) => {
      const secret = await readSecret(cli, `the key of ${provider}: `);
      if (secret.trim() === '') throw new AppError('bad-input', 'that key is empty; nothing was kept');
      done(`kept in ${storeKey(cli.environment, provider, secret)}`);
    });
  const exclude = excludeCommand(cli);
  const transcription = transcriptionCommand(cli, (shown) => done(table(shown)));
  const machine = machineCommand(cli, (shown) => done(table(shown)));
  const vault = defaultVaultCommand(cli, (shown) => done(table(shown)));
  const capture = captureModeCommand(cli, (shown) => done(table(shown)));
  for (const each of [model, key, exclude, transcription, machine, vault, capture]) command.addCommand(each);
  examples(key, ['config key anthropic', 'config key anthropic < key.txt']);
  return examples(command, ['config', 'config model ollama/qwen3', "config exclude 'private/**'"]);
}

type Shown = Record<string, unknown>;

function describe(environment: Environment): Shown {
  const chosen = chooseAgentModel(environment);
  const file = environment.configFile;
  const vault = configuredVault(environment) ?? 'none; set it with: keepsake config vault <folder>';
  const audio = describeTranscription(environment);
  const exclude = readConfiguration(environment).agents?.exclude ?? [];
  if ('missing' in chosen) return { file, vault, model: describeError(chosen.missing), exclude, audio };
  const { model, prices, limits, contextTokens } = chosen;
  const provider = parseModelName(model.name)?.provider ?? 'openai-compatible';
  return {
    file,
    vault,
    model: model.name,
    address: model.endpoint.baseUrl,
    key: describeKey(environment, provider),
    prices:
      prices ??
      `not known, so that the daily limit is one of tokens; set them with: keepsake config model --input <price> --output <price>`,
    context: contextTokens ?? 'not known; set it with: keepsake config model --context <tokens>',
    limits,
    exclude,
    audio,
  };
}

function table(shown: Shown): string {
  return Object.entries(shown)
    .map(([name, value]) => `${name.padEnd(10)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
