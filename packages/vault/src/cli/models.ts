import { Command, Option } from 'commander';
import {
  addModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  modelFile,
  modelRole,
  useModel,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { modelRoles } from '../models/index.ts';
import type { ModelRole } from '../models/index.ts';
import { showBytes } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { showProgress } from './show-progress.ts';

/** Models are never downloaded but by these commands. */
export function modelsCommand(cli: Cli): Command {
  const command = new Command('models')
    .summary('set up the models of deep search')
    .description(
      'Deep search compares meanings, for which it needs a model, the embedder. With an expander it also asks in other words, with a reranker it reads the best results once more. Each runs on this machine or behind an address.',
    );
  command.addCommand(listCommand(cli));
  command.addCommand(setupCommand(cli));
  command.addCommand(pullCommand(cli));
  command.addCommand(useCommand(cli));
  return command;
}

function listCommand(cli: Cli): Command {
  return new Command('list')
    .summary('show models, what they are for, their sizes and licences, and which are used')
    .option('--json', 'print the list for programs')
    .action(({ json }: { json?: boolean }) => {
      const { environment } = cli;
      const models = listModels(environment);
      if (json === true) cli.stdout.write(`${JSON.stringify(models, null, 2)}\n`);
      else {
        for (const { role, model, file, bytes, isInUse } of models) {
          const size = showBytes(bytes ?? model?.bytes ?? 0);
          const state = isInUse ? 'in use' : bytes === null ? 'not here' : 'here';
          const about = model === null ? file : `${model.title}, ${model.languages}, ${model.licence}`;
          cli.stdout.write(
            `${(model?.id ?? 'own').padEnd(26)}${(role ?? '').padEnd(10)}${size.padEnd(10)}${state.padEnd(10)}${about}\n`,
          );
        }
        if (!isRuntimeInstalled(environment))
          cli.stdout.write('\nTo run a model here, first install what runs it: keepsake models setup\n');
      }
      cli.finish(exitCode.ok);
    });
}

function setupCommand(cli: Cli): Command {
  const command = new Command('setup')
    .summary('install what runs a model on this machine')
    .description(
      'Downloads node-llama-cpp for this machine from the npm registry (about 50 MB without GPU support).',
    )
    .option('--gpu', 'with support for graphics cards (several hundred MB)')
    .action(async ({ gpu }: { gpu?: boolean }) => {
      await installModelRuntime(cli.environment, gpu === true, (text) => cli.stderr.write(`${text}\n`));
      cli.stdout.write('ready; choose a model: keepsake models list\n');
      cli.finish(exitCode.ok);
    });
  return examples(command, ['models setup']);
}

function pullCommand(cli: Cli): Command {
  const command = new Command('pull')
    .summary('download a model')
    .argument('<model>', 'a name from the list, or the address of a GGUF file')
    .option('--sha256 <hash>', 'what the file must have; for an address whose server does not say')
    .action(async (model: string, { sha256 }: { sha256?: string }) => {
      const { file, bytes, hash } = await showProgress(cli, 'downloading', (tell) =>
        addModel(cli.environment, model, sha256, tell),
      );
      cli.stdout.write(
        `${file}\n${showBytes(bytes)}, sha256 ${hash}, checked\nuse it with: keepsake models use ${model.includes('/') ? file : model}\n`,
      );
      cli.finish(exitCode.ok);
    });
  return examples(command, ['models pull embeddinggemma-300m']);
}

type UseOptions = { url?: string; for?: ModelRole; keyVariable?: string };

function useCommand(cli: Cli): Command {
  const command = new Command('use')
    .summary('choose a model of deep search')
    .argument('<model>', 'a name from the list, a GGUF file, a model of the server at --url, or none')
    .option('--url <address>', 'an OpenAI-compatible server, as http://127.0.0.1:11434/v1 for Ollama')
    .option('--key-variable <name>', 'the environment variable that holds its key')
    .addOption(
      new Option(
        '--for <role>',
        'what it is for, when it is not from the list; an embedder if it is not said',
      ).choices(modelRoles),
    )
    .action((model: string, options: UseOptions) => {
      const role = choose(cli.environment, model, options);
      const next = model === 'none' ? '' : '; make its vectors with: keepsake index';
      cli.stdout.write(`${role}: ${model}${role === 'embedder' ? next : ''}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'models use embeddinggemma-300m',
    'models use qwen3-reranker-0.6b',
    'models use nomic-embed-text --url http://127.0.0.1:11434/v1',
    'models use none --for reranker',
  ]);
}

/** Gives what the model is for. */
function choose(
  environment: Environment,
  model: string,
  { url, for: asked, keyVariable }: UseOptions,
): ModelRole {
  // What a server calls its models is its own business.
  const role = url === undefined ? modelRole(model, asked) : (asked ?? 'embedder');
  if (model === 'none') useModel(environment, role, null);
  else if (url === undefined) useModel(environment, role, { file: modelFile(environment, model) });
  else
    useModel(environment, role, {
      baseUrl: url,
      model,
      ...(keyVariable !== undefined && { keyVariable }),
    });
  return role;
}
