import { Argument, Command } from 'commander';
import {
  AppError,
  resolveAgentModel,
  readConfiguredVault,
  describeKeySource,
  readConfiguration,
  storeApiKey,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { parseModelName, remoteProviderNames } from '../models/index.ts';
import type { ProviderName } from '../models/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { captureModeCommand } from './config-capture.ts';
import { excludeCommand } from './config-exclude.ts';
import { loginCommand, logoutCommand } from './config-login.ts';
import { machineCommand } from './config-machine.ts';
import { modelCommand } from './config-model.ts';
import { retentionCommand } from './config-retention.ts';
import { tidyingCommand } from './config-tidying.ts';
import { describeTranscription, transcriptionCommand } from './config-transcription.ts';
import { defaultVaultCommand } from './config-vault.ts';
import { exitCode } from './exit-code.ts';
import { printResult, printText } from './print-outcome.ts';
import { readSecret } from './standard-input.ts';

export function configCommand(cli: Cli): Command {
  const done = (text: string): void => {
    printText(cli, text);
    cli.finish(exitCode.ok);
  };
  const command = new Command('config')
    .summary('show or change the configuration')
    .description('Show the configuration. Keys are never shown.')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const shown = describe(cli.environment);
      printResult(cli, table(shown), shown, { json: json === true });
      cli.finish(exitCode.ok);
    });
  const model = modelCommand(cli, () => printText(cli, table(describe(cli.environment))));
  const key = new Command('key')
    .summary("store a provider's API key in a private file")
    .addArgument(new Argument('<provider>').choices(remoteProviderNames))
    .action(async (provider: ProviderName) => {
      const secret = await readSecret(cli, `API key of ${provider}: `);
      if (secret.trim() === '') throw new AppError('bad-input', 'the key is empty; nothing was saved');
      done(`stored in ${storeApiKey(cli.environment, provider, secret)}`);
    });
  const exclude = excludeCommand(cli);
  const transcription = transcriptionCommand(cli, (shown) => done(table(shown)));
  const machine = machineCommand(cli, (shown) => done(table(shown)));
  const vault = defaultVaultCommand(cli, (shown) => done(table(shown)));
  const capture = captureModeCommand(cli, (shown) => done(table(shown)));
  const retention = retentionCommand(cli, (shown) => done(table(shown)));
  const tidying = tidyingCommand(cli, (shown) => done(table(shown)));
  const accounts = [loginCommand(cli), logoutCommand(cli)];
  for (const each of [
    model,
    key,
    ...accounts,
    exclude,
    transcription,
    machine,
    vault,
    capture,
    retention,
    tidying,
  ])
    command.addCommand(each);
  withExamples(key, ['config key anthropic', 'config key anthropic < key.txt']);
  return withExamples(command, ['config', 'config model ollama/qwen3', "config exclude 'private/**'"]);
}

type ConfigurationTable = Record<string, unknown>;

function describe(environment: Environment): ConfigurationTable {
  const chosen = resolveAgentModel(environment);
  const file = environment.configFile;
  const vault = readConfiguredVault(environment) ?? null;
  const audio = describeTranscription(environment);
  const exclude = readConfiguration(environment).agents?.exclude ?? [];
  if ('missing' in chosen)
    return { file, vault, model: null, modelProblem: describeError(chosen.missing), exclude, audio };
  const { model, prices, limits, contextTokens } = chosen;
  const provider = parseModelName(model.name)?.provider ?? 'openai-compatible';
  return {
    file,
    vault,
    model: model.name,
    address: model.endpoint.baseUrl,
    key: describeKeySource(environment, provider),
    prices,
    context: contextTokens,
    timeout: `${model.timeoutSeconds} s`,
    limits,
    exclude,
    audio,
  };
}

/** What a setting without a value means. */
const explanations: Readonly<Record<string, string>> = {
  vault: 'none; set it with: keepsake config vault <folder>',
  prices:
    'unknown, so the daily limit is in tokens; set with: keepsake config model --input <price> --output <price>',
  context: 'unknown; set with: keepsake config model --context <tokens>',
};

function table({ modelProblem, ...shown }: ConfigurationTable): string {
  const width = Math.max(8, ...Object.keys(shown).map(({ length }) => length)) + 2;
  return Object.entries(shown)
    .map(([name, value]) => {
      const explained = value === null ? (name === 'model' ? modelProblem : explanations[name]) : value;
      return `${name.padEnd(width)}${typeof explained === 'string' ? explained : JSON.stringify(explained)}`;
    })
    .join('\n');
}
