import { Command, Option } from 'commander';
import {
  downloadSearchModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  resolveModelFile,
  resolveModelRole,
  setSearchModel,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { modelRoles } from '../models/index.ts';
import type { ModelRole } from '../models/index.ts';
import { formatBytes } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
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
          cli.stdout.write(
            '\nTo run a model on this machine, install the runtime first: keepsake models setup\n',
          );
      }
      cli.finish(exitCode.ok);
    });
}

function setupCommand(cli: Cli): Command {
  const command = new Command('setup')
    .summary('install the local model runtime')
    .description(
      'Download node-llama-cpp for this machine from the npm registry (about 50 MB without GPU support).',
    )
    .option('--gpu', 'include GPU support (several hundred MB)')
    .action(async ({ gpu }: { gpu?: boolean }) => {
      await installModelRuntime(cli.environment, gpu === true, (text) => cli.stderr.write(`${text}\n`));
      cli.stdout.write('ready; choose a model with: keepsake models list\n');
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['models setup']);
}

function pullCommand(cli: Cli): Command {
  const command = new Command('pull')
    .summary('download a model')
    .argument('<model>', 'name from the list, or URL of a GGUF file')
    .option('--sha256 <hash>', 'expected SHA-256 of the file')
    .action(async (model: string, { sha256 }: { sha256?: string }) => {
      const { file, bytes, hash } = await withProgressBar(cli, 'downloading', (onProgress) =>
        downloadSearchModel(cli.environment, model, sha256, onProgress),
      );
      cli.stdout.write(
        `${file}\n${formatBytes(bytes)}, sha256 ${hash}, verified\nuse it with: keepsake models use ${model.includes('/') ? file : model}\n`,
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['models pull embeddinggemma-300m']);
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
      const next = model === 'none' ? '' : '; compute its vectors with: keepsake index';
      cli.stdout.write(`${role}: ${model}${role === 'embedder' ? next : ''}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'models use embeddinggemma-300m',
    'models use qwen3-reranker-0.6b',
    'models use nomic-embed-text --url http://127.0.0.1:11434/v1',
    'models use none --for reranker',
  ]);
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
