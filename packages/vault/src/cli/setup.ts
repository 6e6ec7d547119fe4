import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  AppError,
  assertNotGone,
  findAvailableModels,
  readConfiguredVault,
  resolveAgentModel,
  writeConfiguration,
} from '../app/index.ts';
import { clientNames, detectClients, getClient, isOnPath, readPlatform } from '../connect/index.ts';
import type { Client } from '../connect/index.ts';
import { describeError, formatLocalTime } from '../contract/index.ts';
import { parseModelName } from '../models/index.ts';
import { findFreeName, identityFolder, portableTitle } from '../vault/index.ts';
import { runToolCommand, withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { chooseModel } from './config-model.ts';
import { applyConnection, describePlan, isApplied, planConnection } from './connect-plan.ts';
import type { ConnectionPlan, ConnectionTarget } from './connect-plan.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { createVault } from './init.ts';
import { printText } from './print-outcome.ts';
import { isInteractive, isYes, withPrompt } from './prompt.ts';
import type { Ask } from './prompt.ts';
import { setupTexts } from './setup-texts.ts';
import type { SetupTexts } from './setup-texts.ts';
import { submitUpdate } from './submit-update.ts';

type Options = {
  vault?: string;
  clients?: string[];
  /** False for --no-model. */
  model?: string | false;
  memory?: string | false;
  yes?: boolean;
  details?: boolean;
};

/** The context of the steps. `ask` is null without a terminal. */
type Setup = { cli: Cli; options: Options; texts: SetupTexts; ask: Ask | null };

export function setupCommand(cli: Cli): Command {
  const command = new Command('setup')
    .summary('set up Keepsake: vault, AI tools, model and a first memory')
    .description(
      'Lead through the first steps: choose a folder, connect the AI tools on this machine, choose a model and add a first memory. Every step can be skipped, and running it again shows what is done. An option answers a question in advance; without a terminal, steps without an option are skipped.',
    )
    .option('--vault <folder>', 'folder of the vault; created, or adopted if it contains files')
    .addOption(
      new Option(
        '--clients <names>',
        `AI tools to connect, separated by commas, or none: ${clientNames.join(', ')}`,
      ).argParser(parseClients),
    )
    .option('--model <model>', 'model of the agents, as for keepsake config model')
    .option('--no-model', 'choose no model')
    .option('--memory <text>', 'first memory')
    .option('--no-memory', 'add no memory')
    .option('--details', 'show every file, command and hook of a connection')
    .option('--yes', 'accept every suggestion: ~/vault, all AI tools found, no model, no memory')
    .action(async (options: Options) => {
      cli.finish(await runSetup(cli, options));
    });
  return withExamples(command, [
    'setup',
    'setup --vault ~/Documents/obsidian --clients claude-code,codex --no-model',
    'setup --yes',
  ]);
}

function parseClients(text: string): string[] {
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !clientNames.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`${unknown} is unknown; use none or ${clientNames.join(', ')}.`);
  return names;
}

async function runSetup(cli: Cli, options: Options): Promise<ExitCode> {
  const texts = setupTexts[cli.environment.language];
  const isAsking = options.yes !== true && isInteractive(cli);
  if (!isAsking) return runSteps({ cli, options, texts, ask: null });
  printText(cli, texts.intro);
  return withPrompt(cli, (ask) => runSteps({ cli, options, texts, ask }));
}

async function runSteps(setup: Setup): Promise<ExitCode> {
  const { cli, texts } = setup;
  printText(cli, `\n${texts.folder}`);
  const vault = await chooseVault(setup);
  printText(cli, `\n${texts.clients}`);
  const { connected, hasFailed } = await connectClients(setup, vault);
  printText(cli, `\n${texts.model}`);
  const hasModel = await chooseAgentModel(setup);
  printText(cli, `\n${texts.memory}`);
  const memory = await addMemory(setup, vault, hasModel === true);
  const [first] = connected;
  const steps = [first === undefined ? texts.tellNobody : texts.tell(first.title), texts.link, texts.open];
  printText(cli, `\n${texts.next}\n${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}`);
  return hasFailed || hasModel === null ? exitCode.errors : memory;
}

/** The answer to a question; `suggested` without a terminal. Throws when the user stops. */
async function answer({ ask, texts }: Setup, question: string, suggested: string): Promise<string> {
  if (ask === null) return suggested;
  const typed = await ask(question);
  if (typed === null) throw new AppError('stopped', texts.stopped, { hint: texts.continue });
  return typed;
}

/** Whether the user agrees; yes is suggested, and assumed with --yes. */
async function agree(setup: Setup, question: string): Promise<boolean> {
  return isYes(setup.cli, await answer(setup, question, setup.options.yes === true ? '' : 'n'), true);
}

/** Creates or adopts the vault and makes it the default. Returns its root. */
async function chooseVault(setup: Setup): Promise<string> {
  const { cli, options, texts } = setup;
  const { environment } = cli;
  const present = readConfiguredVault(environment) ?? environment.vault;
  const isReady = present !== undefined && existsSync(join(present, identityFolder));
  if (options.vault === undefined && isReady) {
    printText(cli, `  ${texts.already(present)}`);
    return present;
  }
  if (options.vault === undefined && present !== undefined) assertNotGone(present, environment);
  const folder = environment.resolve(options.vault ?? (await askFolder(setup)));
  const count = existsSync(join(folder, identityFolder)) ? 0 : countFiles(folder);
  if (options.vault === undefined && count > 0) {
    const shown = count > maxCountedFiles ? `> ${maxCountedFiles}` : String(count);
    if (!(await agree(setup, texts.askAdopt(folder, shown)))) throw new AppError('stopped', texts.noFolder);
  }
  const { root, outcome } = await createVault(cli, folder);
  writeConfiguration(environment, { place: ['vault'], value: root });
  printText(cli, `  ${texts[outcome](root)}`);
  return root;
}

async function askFolder(setup: Setup): Promise<string> {
  const { cli, options, ask, texts } = setup;
  const { home } = cli.environment;
  if (ask === null && options.yes !== true)
    throw new AppError('bad-input', 'there is no terminal to ask in, and no vault yet', {
      hint: 'pass --vault <folder>, or --yes for ~/vault',
    });
  const typed = await answer(setup, texts.askFolder('~/vault'), '');
  // The shell expands ~ in arguments, but not in answers.
  return (typed === '' ? '~/vault' : typed).replace(/^~(?=$|\/)/, () => home);
}

const maxCountedFiles = 10_000;

/** The number of files in a folder without hidden ones, at most one more than the maximum; 0 if there is no folder. */
function countFiles(folder: string, counted = 0): number {
  if (!existsSync(folder)) return counted;
  let count = counted;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (count > maxCountedFiles) break;
    if (entry.name.startsWith('.')) continue;
    count = entry.isDirectory() ? countFiles(join(folder, entry.name), count) : count + 1;
  }
  return count;
}

/** Connects the clients that the user wants. A client that fails does not stop the others. */
async function connectClients(
  setup: Setup,
  vault: string,
): Promise<{ connected: Client[]; hasFailed: boolean }> {
  const { cli, options, texts } = setup;
  const { searchPath } = cli.environment;
  const found = detectClients(readPlatform(cli.environment), searchPath).filter(({ isFound }) => isFound);
  const offered = options.clients?.map(getClient) ?? found.map(({ client }) => client);
  if (offered.length === 0)
    printText(cli, `  ${options.clients === undefined ? texts.noClients : texts.skipped}`);
  const target: ConnectionTarget = {
    vault,
    tokenVariable: '',
    byPath: !isOnPath('keepsake', searchPath),
  };
  const connected: Client[] = [];
  let hasFailed = false;
  for (const client of offered) {
    try {
      if (await connectClient(setup, client, target)) connected.push(client);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'stopped') throw error;
      hasFailed = true;
      printText(cli, `  ${texts.failed(client.title, describeError(error))}`);
    }
  }
  return { connected, hasFailed };
}

/** Returns whether the client is connected now. */
async function connectClient(setup: Setup, client: Client, target: ConnectionTarget): Promise<boolean> {
  const { cli, options, texts } = setup;
  const plan = planConnection(cli, client, target);
  if (plan.onlyIn !== null) {
    printText(cli, `  ${texts.noCommand(client.title, client.executable ?? client.name, client.name)}`);
    return false;
  }
  if (!isApplied(cli, plan, target)) {
    const isChosen = options.clients !== undefined;
    if (!isChosen && setup.ask === null && options.yes !== true) return false;
    printText(
      cli,
      [`  ${client.title}`, ...describeConsent(setup, plan).map((line) => `    ${line}`)].join('\n'),
    );
    if (!isChosen && !(await agree(setup, texts.askConnect(client.title)))) return false;
    applyConnection(cli, plan, target, { result: () => undefined, note: () => undefined });
    printText(cli, `  ${texts.connected(client.title)}`);
    if (plan.plugin !== null && client.name === 'codex') printText(cli, `  ${texts.hooks}`);
  } else printText(cli, `  ${texts.connected(client.title)}`);
  return true;
}

/** What the user agrees to, in plain words; with --details, every file, command and hook. */
function describeConsent({ options, texts }: Setup, plan: ConnectionPlan): string[] {
  const { client, plugin } = plan;
  if (options.details === true) return describePlan(plan);
  return [
    `${texts.consent(client.title)}${plugin === null ? '' : ` ${texts.recording[plugin.capture]}`}`,
    texts.details(client.name),
  ];
}

/** Returns whether the agents have a model; null if the test of the chosen one failed. */
async function chooseAgentModel(setup: Setup): Promise<boolean | null> {
  const { cli, options, texts } = setup;
  const present = resolveAgentModel(cli.environment);
  if (options.model === undefined && !('missing' in present)) {
    printText(cli, `  ${texts.hasModel(present.model.name)}`);
    return true;
  }
  if (setup.ask !== null && options.model === undefined) await offerModels(setup);
  // Without a terminal, a model that fails its test is not replaced by another one.
  for (let name = options.model ?? (await askModel(setup)); ; name = await askModel(setup)) {
    if (name === false || name === '') {
      printText(cli, `  ${texts.noModel}`);
      return false;
    }
    if ((await chooseModel(cli, name)) === exitCode.ok) return true;
    if (setup.ask === null) return null;
  }
}

async function offerModels({ cli, texts }: Setup): Promise<void> {
  printText(cli, `  ${texts.whyModel}`);
  const found = await findAvailableModels(cli.environment);
  if (found.length > 0)
    printText(
      cli,
      `  ${texts.found(found.map(({ arguments: args, reason }) => `${args} (${reason})`).join(', '))}`,
    );
}

/** Empty for none, as without a terminal. */
async function askModel(setup: Setup): Promise<string> {
  const { cli, texts } = setup;
  for (;;) {
    const name = await answer(setup, texts.askModel, '');
    if (name === '' || parseModelName(name) !== null) return name;
    printText(cli, `  ${texts.badModel(name)}`);
  }
}

/** Files the text with the model; without one, it becomes a note in the bucket. */
async function addMemory(setup: Setup, vault: string, hasModel: boolean): Promise<ExitCode> {
  const { cli, options, texts } = setup;
  const text = options.memory === undefined ? await answer(setup, texts.askMemory, '') : options.memory;
  if (text === false || text === '') {
    printText(cli, `  ${texts.noMemory}`);
    return exitCode.ok;
  }
  if (hasModel) {
    const source = { kind: 'person' as const, name: 'keepsake setup' };
    return submitUpdate(cli, { text, files: [], source }, { vault, wait: true });
  }
  const stem = portableTitle(
    `${formatLocalTime(Date.now()).slice(0, 10)} ${text.slice(0, 40)}`,
  ).toLowerCase();
  const name = findFreeName(`${stem}.md`, (each) => existsSync(join(vault, 'bucket', each)));
  return runToolCommand(cli, 'write', { path: `bucket/${name}`, content: `${text}\n` }, { vault });
}
