import { Command, InvalidArgumentError } from 'commander';
import { AppError, chooseAgentModel, chooseModel, readConfiguration, tryChosenModel } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { ModelError, providerNames } from '../models/index.ts';
import type { Prices, Trial } from '../models/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { interruptible } from './live.ts';
import { safeForTerminal } from './show-outcome.ts';

type Options = {
  url?: string;
  context?: number;
  input?: number;
  output?: number;
  cached?: number;
  cacheWrite?: number;
  test: boolean;
};

/** `show` prints what is configured now. */
export function modelCommand(cli: Cli, show: () => void): Command {
  const command = new Command('model')
    .summary('choose a model, say what it costs, and try it')
    .description(
      'Chooses a model and tries it with one small question: whether it answers, calls tools and sees images. Without a model, it is about the one that is chosen. The choice is kept also when the test fails; the exit code is then 1.',
    )
    .argument('[model]', `as ${providerNames.map((name) => `${name}/<model>`).join(', ')}; or none`)
    .option('--url <address>', 'where it answers, if elsewhere than usual')
    .option('--context <tokens>', 'how many tokens it takes (default: what its server says)', tokens)
    .option('--input <price>', 'of a million tokens it reads', price)
    .option('--output <price>', 'of a million tokens it writes', price)
    .option('--cached <price>', 'of a million tokens it has read before', price)
    .option('--cache-write <price>', 'of a million tokens it reads and keeps for later', price)
    .option('--no-test', 'do not ask it anything')
    .action(async (name: string | undefined, options: Options) => {
      const { environment } = cli;
      const kept = name === undefined ? readConfiguration(environment).prices : undefined;
      chooseModel(environment, name === 'none' ? null : name, {
        modelBaseUrl: options.url,
        context: options.context,
        prices: pricesIn(options, kept),
      });
      const tried = options.test && name !== 'none' ? await tryChosen(cli, name) : null;
      show();
      cli.finish(tried === null ? exitCode.ok : tell(cli, tried, name !== undefined));
    });
  return examples(command, [
    'config model anthropic/<name> --input 3 --output 15 --cached 0.3 --cache-write 3.75',
    'config model ollama/qwen3',
    'config model openai-compatible/<name> --url http://127.0.0.1:8080/v1 --context 32000',
    'config model --input 3 --output 15',
    'config model',
  ]);
}

function pricesIn(
  { input, output, cached: cachedInput, cacheWrite }: Options,
  kept: Prices | undefined,
): Prices | undefined {
  if ([input, output, cachedInput, cacheWrite].every((value) => value === undefined)) return undefined;
  const all = { input: input ?? kept?.input, output: output ?? kept?.output };
  if (all.input === undefined || all.output === undefined)
    throw new AppError('bad-input', 'a price needs both: --input and --output');
  return {
    ...kept,
    input: all.input,
    output: all.output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

type Tried = { trial: Trial } | { failed: string };

async function tryChosen(cli: Cli, name: string | undefined): Promise<Tried> {
  const { environment } = cli;
  const chosen = chooseAgentModel(environment);
  if ('missing' in chosen) return { failed: cannotBeUsed(chosen.missing) };
  const { model } = chosen;
  if (name !== undefined && name !== model.name)
    note(cli, `note: KEEPSAKE_MODEL is set, so that ${model.name} is used and not ${name}`);
  note(cli, `trying ${model.name}`);
  return interruptible(cli, async (signal) => {
    try {
      return await tryChosenModel(environment, signal);
    } catch (error) {
      if (signal.aborted) return { failed: 'the test was stopped' };
      if (error instanceof ModelError) return { failed: cannotBeUsed(error) };
      throw error;
    }
  });
}

function cannotBeUsed(error: Error): string {
  return `the model cannot be used: ${describeError(error)}`;
}

function tell(cli: Cli, tried: Tried, isChoice: boolean): ExitCode {
  const kept = isChoice ? 'the choice is kept, but ' : '';
  if ('failed' in tried) {
    note(cli, `error: ${kept}${tried.failed}`);
    if (isChoice) note(cli, 'once that is mended, try it again with: keepsake config model');
    return exitCode.errors;
  }
  const { reply, milliseconds, callsTools, blindBecause, usage } = tried.trial;
  const seconds = (milliseconds / 1_000).toFixed(1);
  const rows = [
    ['tried', `it answered in ${seconds} s (${usage.input} tokens read, ${usage.output} written)`],
    ['reply', reply === '' ? 'nothing' : shorten(reply)],
    ['tools', callsTools ? 'work' : 'do not work: it did not call the one it was asked to call'],
    ['images', blindBecause === null ? 'work' : `do not work: ${blindBecause}`],
  ];
  for (const [label = '', text = ''] of rows)
    cli.stdout.write(`${safeForTerminal(`${label.padEnd(10)}${text}`, cli.stdout)}\n`);
  if (callsTools) return exitCode.ok;
  note(cli, `error: ${kept}the agents need a model that calls tools; choose another one`);
  return exitCode.errors;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function note({ stderr }: Cli, line: string): void {
  stderr.write(`${safeForTerminal(line, stderr)}\n`);
}

function price(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('It must be a number, as 2.50.');
  return value;
}

function tokens(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number of tokens, as 32000.');
  return value;
}
