import { Command, Option } from 'commander';
import {
  downloadSearchModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  planModelSetup,
  resolveModelFile,
  resolveModelRole,
  setSearchModel,
} from '../app/index.ts';
import type { Environment, SetupPlan } from '../app/index.ts';
import { modelRoles, recommendedEmbedder } from '../models/index.ts';
import type { ModelRole } from '../models/index.ts';
import { formatBytes } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { confirm } from './prompt.ts';
import { withProgressBar } from './show-progress.ts';

/** Only these commands download models. */
export function modelsCommand(cli: Cli): Command {
  const command = new Command('models')
    .summary('manage the models of deep search')
    .description(
      'Deep search finds passages by meaning and requires an embedder. An expander also rephrases the query; a reranker reorders the best results. Each model runs on this machine or on a server.',
    );
  command.addCommand(listCommand(cli));
  command.addCommand(setupCommand(cli));
  command.addCommand(pullCommand(cli));
  command.addCommand(useCommand(cli));
  return command;
}

function listCommand(cli: Cli): Command {
  return new Command('list')
    .summary('list models with role, size, licence and status')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const { environment } = cli;
      const models = listModels(environment);
      if (json === true) cli.stdout.write(`${JSON.stringify(models, null, 2)}\n`);
      else {
        for (const { role, model, file, bytes, isInUse } of models) {
          const size = formatBytes(bytes ?? model?.bytes ?? 0);
          const state = isInUse ? 'in use' : bytes === null ? 'not installed' : 'installed';
          const about = model === null ? file : `${model.title}, ${model.languages}, ${model.license}`;
          cli.stdout.write(
            `${(model?.id ?? 'own').padEnd(26)}${(role ?? '').padEnd(10)}${size.padEnd(10)}${state.padEnd(15)}${about}\n`,
          );
        }
        if (!isRuntimeInstalled(environment))
          cli.stdout.write('\nTo set up a model on this machine: keepsake models setup\n');
      }
      cli.finish(exitCode.ok);
    });
}

type SetupOptions = { gpu?: boolean; runtimeOnly?: boolean; sha256?: string; yes?: boolean };

function setupCommand(cli: Cli): Command {
  const command = new Command('setup')
    .summary('set up deep search on this machine')
    .description(
      `Download the runtime for local models and an embedder, and choose it. Says first what is downloaded and how long the vectors take. Without an argument, the model is ${recommendedEmbedder}.`,
    )
    .argument('[model]', 'name from the list, GGUF file, or URL of a GGUF file', recommendedEmbedder)
    .option('--yes', 'download without asking')
    .option('--gpu', 'include GPU support in the runtime (several hundred MB)')
    .option('--runtime-only', 'install only the runtime')
    .option('--sha256 <hash>', 'expected SHA-256 of a file from a URL')
    .action(async (model: string, options: SetupOptions) => cli.finish(await setUp(cli, model, options)));
  return withExamples(command, ['models setup', 'models setup --yes', 'models setup all-minilm-l6-v2']);
}

async function setUp(cli: Cli, model: string, options: SetupOptions): Promise<ExitCode> {
  const { environment } = cli;
  const { gpu = false, runtimeOnly = false, sha256, yes = false } = options;
  const plan = planModelSetup(environment, runtimeOnly ? null : model, { gpu });
  cli.stdout.write(formatSetupPlan(plan, gpu));
  const isNothingToDownload = !plan.needsRuntime && plan.download === null;
  if (!yes && !isNothingToDownload && !(await confirm(cli, 'Continue? [y/N] ', {}))) {
    cli.stderr.write('nothing was downloaded; to set it up, repeat the command with --yes\n');
    return exitCode.refused;
  }
  if (plan.needsRuntime) await installModelRuntime(environment, gpu, (text) => cli.stderr.write(`${text}\n`));
  if (runtimeOnly) cli.stdout.write('ready; choose a model with: keepsake models list\n');
  else {
    const file = plan.download === null ? model : (await download(cli, model, sha256)).file;
    const role = selectModel(environment, plan.known?.id ?? file, {});
    cli.stdout.write(`${formatSelected(role, model)}\n`);
  }
  return exitCode.ok;
}

/** What is downloaded and how long the vectors take; docs/search.md says how the times were measured. */
function formatSetupPlan({ needsRuntime, download: model, known }: SetupPlan, gpu: boolean): string {
  const size = gpu ? 'several hundred MB' : 'about 50 MB';
  const minutes = known?.minutesPer1000Notes;
  const lines = [
    ...(known === null ? [] : [`${known.title} (languages: ${known.languages}; licence: ${known.license})`]),
    ...(needsRuntime ? [`download: runtime for local models, ${size}, from the npm registry`] : []),
    ...(model === null
      ? []
      : [
          `download: model, ${model.bytes === null ? 'size not known' : formatBytes(model.bytes)}, from ${new URL(model.url).host}`,
        ]),
    ...(minutes === undefined
      ? []
      : [
          `vectors: once, about ${minutes} minutes per 1,000 notes of 200 words on one core; keepsake serve computes them in the background`,
        ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function pullCommand(cli: Cli): Command {
  const command = new Command('pull')
    .summary('download a model')
    .argument('<model>', 'name from the list, or URL of a GGUF file')
    .option('--sha256 <hash>', 'expected SHA-256 of the file')
    .action(async (model: string, { sha256 }: { sha256?: string }) => {
      const { file, bytes, hash } = await download(cli, model, sha256);
      cli.stdout.write(
        `${file}\n${formatBytes(bytes)}, sha256 ${hash}, verified\nuse it with: keepsake models use ${model.includes('/') ? file : model}\n`,
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['models pull embeddinggemma-300m']);
}

function download(
  cli: Cli,
  model: string,
  sha256: string | undefined,
): ReturnType<typeof downloadSearchModel> {
  return withProgressBar(cli, 'downloading', (onProgress) =>
    downloadSearchModel(cli.environment, model, sha256, onProgress),
  );
}

type UseOptions = { url?: string; for?: ModelRole; keyVariable?: string };

function useCommand(cli: Cli): Command {
  const command = new Command('use')
    .summary('choose a model of deep search')
    .argument('<model>', 'name from the list, GGUF file, model of the server at --url, or none')
    .option('--url <address>', 'OpenAI-compatible server, for example http://127.0.0.1:11434/v1 for Ollama')
    .option('--key-variable <name>', 'environment variable with the API key')
    .addOption(
      new Option('--for <role>', 'role of a model that is not in the list (default: embedder)').choices(
        modelRoles,
      ),
    )
    .action((model: string, options: UseOptions) => {
      const role = selectModel(cli.environment, model, options);
      cli.stdout.write(`${formatSelected(role, model)}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'models use embeddinggemma-300m',
    'models use qwen3-reranker-0.6b',
    'models use nomic-embed-text --url http://127.0.0.1:11434/v1',
    'models use none --for reranker',
  ]);
}

function formatSelected(role: ModelRole, model: string): string {
  const needsVectors = role === 'embedder' && model !== 'none';
  return `${role}: ${model}${needsVectors ? '; compute its vectors with: keepsake index' : ''}`;
}

/** Returns the role of the model. */
function selectModel(
  environment: Environment,
  model: string,
  { url, for: requestedRole, keyVariable }: UseOptions,
): ModelRole {
  // The name of a model on a server is not compared with the list of known models.
  const role = url === undefined ? resolveModelRole(model, requestedRole) : (requestedRole ?? 'embedder');
  if (model === 'none') setSearchModel(environment, role, null);
  else if (url === undefined)
    setSearchModel(environment, role, { file: resolveModelFile(environment, model) });
  else
    setSearchModel(environment, role, {
      baseUrl: url,
      model,
      ...(keyVariable !== undefined && { keyVariable }),
    });
  return role;
}
