import { Command, InvalidArgumentError } from 'commander';
import {
  AppError,
  configuredModelName,
  findAvailableModels,
  maxModelTimeout,
  resolveAgentModel,
  setAgentModel,
  storeContextLimit,
  readConfiguration,
  testConfiguredModel,
  withCandidateModel,
} from '../app/index.ts';
import type { AvailableModel, Environment, ModelSettings } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { findInstalledTool, ModelError, parseModelName, providerNames } from '../models/index.ts';
import type { Prices, ModelTestResult } from '../models/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { withInterrupt } from './show-live.ts';
import { note, printText } from './print-outcome.ts';

type Options = {
  url?: string;
  context?: number;
  timeout?: number;
  input?: number;
  output?: number;
  cached?: number;
  cacheWrite?: number;
  test: boolean;
};

/** `show` prints the current configuration. */
export function modelCommand(cli: Cli, show: () => void): Command {
  const command = new Command('model')
    .summary('choose, price and test the model of the agents')
    .description(
      'Choose a model and test it with one small question: does it answer, call tools and read images? A model that fails the test is not saved (exit code 1), except with --no-test. Without an argument, test the current model, or list the models that work on this machine if there is none.',
    )
    .argument('[model]', `one of ${providerNames.map((name) => `${name}/<model>`).join(', ')}, or none`)
    .option('--url <address>', "base URL, if not the provider's default")
    .option('--context <tokens>', 'context window in tokens (default: as reported by the server)', tokens)
    .option(
      '--timeout <seconds>',
      'longest wait for data, also for the first token (default: 600 on this machine and in private networks, otherwise 120)',
      timeout,
    )
    .option('--input <price>', 'price per million input tokens', price)
    .option('--output <price>', 'price per million output tokens', price)
    .option('--cached <price>', 'price per million cached input tokens', price)
    .option('--cache-write <price>', 'price per million cache-write tokens', price)
    .option('--no-test', 'skip the test')
    .action(async (name: string | undefined, options: Options) => {
      const { environment } = cli;
      const currentPrices = name === undefined ? readConfiguration(environment).prices : undefined;
      const settings = {
        modelBaseUrl: options.url,
        context: options.context,
        modelTimeout: options.timeout,
        prices: parsePrices(options, currentPrices),
      };
      if (name !== undefined && name !== 'none' && options.test)
        return cli.finish(await chooseModel(cli, name, settings, show));
      setAgentModel(environment, name === 'none' ? null : name, settings);
      printTerms(cli, name);
      if (name === undefined && configuredModelName(environment) === undefined) {
        offerModels(cli, await findAvailableModels(environment));
        return cli.finish(exitCode.errors);
      }
      const test = options.test && name !== 'none' ? await testModel(cli, environment) : null;
      show();
      return cli.finish(test === null ? exitCode.ok : printModelTest(cli, test));
    });
  return withExamples(command, [
    'config model anthropic/<name> --input 3 --output 15 --cached 0.3 --cache-write 3.75',
    'config model ollama/qwen3',
    'config model claude-code/sonnet',
    'config model openai-compatible/<name> --url http://127.0.0.1:8080/v1 --context 32000',
    'config model --input 3 --output 15',
    'config model',
  ]);
}

/** Prints what the user should know about a tool that is used as a model. */
function printTerms(cli: Cli, name: string | undefined): void {
  const provider = name === undefined ? undefined : parseModelName(name)?.provider;
  const tool = provider === undefined ? null : findInstalledTool(provider);
  if (tool !== null) note(cli, `note: ${tool.terms}`);
}

/** Lists the models that work on this machine, with the command that chooses each. */
export function offerModels(cli: Cli, found: AvailableModel[]): void {
  if (found.length === 0) {
    note(cli, 'no model is configured, and none was found on this machine');
    note(
      cli,
      'choose one with: keepsake config model anthropic/<name>, after: keepsake config key anthropic',
    );
    note(
      cli,
      'with a ChatGPT plan: keepsake config login chatgpt, then: keepsake config model openai/<name>',
    );
    return;
  }
  note(cli, 'no model is configured; found on this machine:');
  for (const { arguments: args, reason } of found)
    printText(cli, `keepsake config model ${args}  (${reason})`);
}

/** Tests a model for the agents, saves it if it works, and prints the result after the settings that `show` prints. */
export async function chooseModel(
  cli: Cli,
  name: string,
  settings: ModelSettings = {},
  show: () => void = () => undefined,
): Promise<ExitCode> {
  const { environment } = cli;
  const candidate = withCandidateModel(environment, name, settings);
  printTerms(cli, name);
  const test = await testModel(cli, candidate, name);
  if (isUsable(test)) {
    setAgentModel(environment, name, settings);
    await withInterrupt(cli, (signal) => storeContextLimit(environment, signal));
    show();
  }
  const code = printModelTest(cli, test);
  if (code !== exitCode.ok)
    note(cli, `the model was not saved; to save it without a test: keepsake config model ${name} --no-test`);
  return code;
}

function parsePrices(
  { input, output, cached: cachedInput, cacheWrite }: Options,
  currentPrices: Prices | undefined,
): Prices | undefined {
  if ([input, output, cachedInput, cacheWrite].every((value) => value === undefined)) return undefined;
  const all = { input: input ?? currentPrices?.input, output: output ?? currentPrices?.output };
  if (all.input === undefined || all.output === undefined)
    throw new AppError('bad-input', '--input and --output must be used together');
  return {
    ...currentPrices,
    input: all.input,
    output: all.output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

type ModelTest = { trial: ModelTestResult } | { failed: string };

function isUsable(test: ModelTest): boolean {
  return 'trial' in test && test.trial.callsTools;
}

async function testModel(cli: Cli, environment: Environment, name?: string): Promise<ModelTest> {
  const chosen = resolveAgentModel(environment);
  if ('missing' in chosen) return { failed: formatModelError(chosen.missing) };
  const { model } = chosen;
  if (name !== undefined && name !== model.name)
    note(cli, `note: KEEPSAKE_MODEL overrides the configuration: using ${model.name} instead of ${name}`);
  note(cli, `testing ${model.name}`);
  return withInterrupt(cli, async (signal) => {
    try {
      return await testConfiguredModel(environment, signal);
    } catch (error) {
      if (signal.aborted) return { failed: 'the test was stopped' };
      if (error instanceof ModelError) return { failed: formatModelError(error) };
      throw error;
    }
  });
}

function formatModelError(error: Error): string {
  return `the model cannot be used: ${describeError(error)}`;
}

function printModelTest(cli: Cli, tried: ModelTest): ExitCode {
  if ('failed' in tried) {
    note(cli, `error: ${tried.failed}`);
    return exitCode.errors;
  }
  const { reply, milliseconds, callsTools, blindBecause, usage } = tried.trial;
  const seconds = (milliseconds / 1_000).toFixed(1);
  const rows = [
    ['test', `answered in ${seconds} s (${usage.input} input tokens, ${usage.output} output tokens)`],
    ['reply', reply === '' ? 'nothing' : shorten(reply)],
    ['tools', callsTools ? 'work' : 'not supported (the model did not call the test tool)'],
    ['images', blindBecause === null ? 'work' : `not supported (${blindBecause})`],
  ];
  for (const [label = '', text = ''] of rows) printText(cli, `${label.padEnd(10)}${text}`);
  if (isUsable(tried)) return exitCode.ok;
  note(cli, `error: the agents need a model that calls tools; choose another one`);
  return exitCode.errors;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function price(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('Expected a number, for example 2.50.');
  return value;
}

function tokens(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value <= 0)
    throw new InvalidArgumentError('Expected a number of tokens, for example 32000.');
  return value;
}

function timeout(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= maxModelTimeout))
    throw new InvalidArgumentError('Expected a number of seconds, for example 600.');
  return value;
}
