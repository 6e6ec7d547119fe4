import { describeError } from '../contract/index.ts';
import {
  findInstalledTool,
  findLocalServers,
  ModelError,
  parseModelName,
  toolProviderNames,
} from '../models/index.ts';
import type { LocalServer } from '../models/index.ts';
import { describeKeySource, getKeySource, resolveInstalledModel, suggestModels } from './agent-model.ts';
import type { Environment } from './environment.ts';

/** A model that works on this machine: the arguments of `config model`, and why it works. */
export type AvailableModel = { arguments: string; reason: string };

const probeTimeoutMs = 5_000;

/**
 * Finds what could serve as a model here: tools that are signed in, servers on this machine, the sign-in with
 * ChatGPT, and API keys. Asks the tools for their sign-in, so it is not for frequent calls.
 */
export async function findAvailableModels(
  environment: Environment,
  findServers: () => Promise<LocalServer[]> = findLocalServers,
): Promise<AvailableModel[]> {
  const [tools, servers] = await Promise.all([
    Promise.all(toolProviderNames.map((provider) => probeTool(environment, provider))),
    findServers(),
  ]);
  const keys = suggestModels(environment).flatMap((name) => {
    const provider = parseModelName(name)?.provider ?? 'anthropic';
    const source = getKeySource(environment, provider);
    if (findInstalledTool(provider) !== null || source === 'missing') return [];
    const reason =
      source === 'account' ? 'signed in with ChatGPT' : `API key ${describeKeySource(environment, provider)}`;
    return [{ arguments: name, reason }];
  });
  return [...tools.flat(), ...servers.flatMap(describeServer), ...keys];
}

async function probeTool(
  environment: Environment,
  provider: (typeof toolProviderNames)[number],
): Promise<AvailableModel[]> {
  const tool = findInstalledTool(provider);
  if (tool === null) return [];
  const model = resolveInstalledModel(environment, provider);
  if (model === null) return [];
  const found = `${provider}/${tool.suggestedModel}`;
  try {
    const { status = '' } = await model.fetchInfo(AbortSignal.timeout(probeTimeoutMs));
    return [{ arguments: found, reason: `${tool.title} ${status}` }];
  } catch (error) {
    if (!(error instanceof ModelError)) return [];
    return [{ arguments: found, reason: `not yet: ${describeError(error)}` }];
  }
}

const maxListedModels = 3;

function describeServer({ title, provider, url, models }: LocalServer): AvailableModel[] {
  return models.slice(0, maxListedModels).map((model) => ({
    arguments: `${provider}/${model}${url === null ? '' : ` --url ${url}`}`,
    reason: `${title} on this machine`,
  }));
}
