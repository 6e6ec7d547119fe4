import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describeError } from '../contract/index.ts';
import {
  createLocalEmbedder,
  createLocalExpander,
  createLocalReranker,
  createLocalRuntime,
  createRemoteEmbedder,
  createRemoteExpander,
  createRemoteReranker,
  downloadModel,
  hasGpuRuntime,
  hasRuntime,
  installRuntime,
  findKnownModel,
  modelCatalog,
  ModelError,
  modelRoles,
} from '../models/index.ts';
import type { KnownModel, LocalRuntime, ModelRole } from '../models/index.ts';
import type { SearchModels } from '../search/index.ts';
import { writeConfiguration } from './write-configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { RemoteModel, SearchModel } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

function modelsFolder({ dataHome }: Environment): string {
  return join(dataHome, 'models');
}

function runtimeFolder({ dataHome }: Environment): string {
  return join(dataHome, 'runtime');
}

/**
 * Creates the configured search models. A model that is unavailable reports why when it is used; the others still work.
 */
export function createSearchModels(
  environment: Environment,
  isExcluded: SearchModels['isExcluded'],
): SearchModels {
  const { embedder, expander, reranker } = readConfiguration(environment).search ?? {};
  const folder = runtimeFolder(environment);
  const runtime = createLocalRuntime({ runtimeFolder: folder, gpu: hasGpuRuntime(folder) });
  const chosen: SearchModels = {
    embedder: null,
    embedderUnavailableReason: 'no embedding model is chosen; run keepsake models list',
    expander: null,
    reranker: null,
    isExcluded,
  };
  /** Passes a ModelError to `otherwise`, so that one unavailable model does not disable the others. */
  const tryCreate = (work: () => void, otherwise: (error: ModelError) => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      otherwise(error);
    }
  };
  /** Creates a local model from a file or a remote one from a URL. */
  const create = <Model>(
    choice: SearchModel,
    local: (options: { runtime: LocalRuntime; modelFile: string }) => Model,
    remote: (options: ReturnType<typeof endpoint>) => Model,
  ): Model =>
    'file' in choice
      ? local({ runtime, modelFile: resolve(modelsFolder(environment), choice.file) })
      : remote(endpoint(choice, environment));
  if (embedder !== undefined)
    tryCreate(
      () => (chosen.embedder = create(embedder, createLocalEmbedder, createRemoteEmbedder)),
      (error) => (chosen.embedderUnavailableReason = describeError(error)),
    );
  if (expander !== undefined)
    tryCreate(
      () => (chosen.expander = create(expander, createLocalExpander, createRemoteExpander)),
      (error) => (chosen.expander = { expand: rejectWith(error), close: async () => undefined }),
    );
  if (reranker !== undefined)
    tryCreate(
      () => (chosen.reranker = create(reranker, createLocalReranker, createRemoteReranker)),
      (error) => (chosen.reranker = { score: rejectWith(error), close: async () => undefined }),
    );
  return chosen;
}

/** Replaces an unavailable model: each call fails with the reason. */
function rejectWith(error: ModelError): () => Promise<never> {
  return async () => {
    throw error;
  };
}

function endpoint({ baseUrl, model, keyVariable }: RemoteModel, { variable }: Environment) {
  const apiKey = keyVariable === undefined ? undefined : variable(keyVariable);
  if (keyVariable !== undefined && apiKey === undefined)
    throw new ModelError('refused', `the environment variable ${keyVariable} with the API key is not set`);
  return { baseUrl, model, ...(apiKey !== undefined && { apiKey }) };
}

export type ModelStatus = {
  /** For a file that is not in the list of known models, the role it is configured for, if any. */
  role: ModelRole | null;
  model: KnownModel | null;
  file: string;
  bytes: number | null;
  isInUse: boolean;
};

/** Lists every known, downloaded or configured model. */
export function listModels(environment: Environment): ModelStatus[] {
  const folder = modelsFolder(environment);
  const used = configuredFiles(environment);
  const known = modelCatalog.map((model) => ({ model, file: join(folder, model.file) }));
  const others = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.gguf') && !modelCatalog.some(({ file }) => file === name))
    .map((name) => ({ model: null, file: join(folder, name) }));
  const elsewhere = [...used.keys()]
    .filter((file) => ![...known, ...others].some((other) => other.file === file))
    .map((file) => ({ model: null, file }));
  return [...known, ...others, ...elsewhere].map(({ model, file }) => ({
    role: model?.role ?? used.get(file) ?? null,
    model,
    file,
    bytes: existsSync(file) ? statSync(file).size : null,
    isInUse: used.has(file),
  }));
}

/** The configured model files and their roles. */
function configuredFiles(environment: Environment): Map<string, ModelRole> {
  const search = readConfiguration(environment).search ?? {};
  return new Map(
    modelRoles.flatMap((role) => {
      const choice = search[role];
      return choice !== undefined && 'file' in choice
        ? [[resolve(modelsFolder(environment), choice.file), role] as const]
        : [];
    }),
  );
}

/** Sets the model of a role in the configuration file; null removes it. The rest of the file is unchanged. */
export function setSearchModel(environment: Environment, role: ModelRole, choice: SearchModel | null): void {
  writeConfiguration(environment, { place: ['search', role], value: choice });
}

/**
 * The role of a known model, else the requested role, else embedder. Throws when another role is requested for a known
 * model.
 */
export function resolveModelRole(model: string, requestedRole: ModelRole | undefined): ModelRole {
  const known = findKnownModel(model);
  if (known === undefined || requestedRole === undefined || known.role === requestedRole)
    return known?.role ?? requestedRole ?? 'embedder';
  throw new AppError(
    'bad-target',
    `${known.title} has the role ${known.role} and cannot be used as ${requestedRole}`,
    {
      hint: 'run: keepsake models list',
    },
  );
}

/** The file of a known model, or of one that is given as a path. Throws when the file does not exist. */
export function resolveModelFile(environment: Environment, model: string): string {
  const known = findKnownModel(model);
  const file = known === undefined ? environment.resolve(model) : join(modelsFolder(environment), known.file);
  if (existsSync(file)) return known === undefined ? file : known.file;
  throw new AppError(
    'bad-target',
    known === undefined ? `no such file or known model: ${model}` : `${known.title} is not downloaded`,
    {
      hint: known === undefined ? 'run: keepsake models list' : `run: keepsake models pull ${model}`,
    },
  );
}

/** What setting up a model on this machine downloads. */
export type SetupPlan = {
  needsRuntime: boolean;
  /** The URL of the model and its size, if known; null if it is on this machine. */
  download: { url: string; bytes: number | null } | null;
  known: KnownModel | null;
};

/** With `model` null, only the runtime is set up. Throws when the model is neither known nor a URL nor a file. */
export function planModelSetup(
  environment: Environment,
  model: string | null,
  { gpu }: { gpu: boolean },
): SetupPlan {
  const folder = runtimeFolder(environment);
  const needsRuntime = !hasRuntime(folder) || (gpu && !hasGpuRuntime(folder));
  const known = findKnownModel(model ?? '') ?? null;
  if (model === null) return { needsRuntime, download: null, known };
  if (known === null && !isUrl(model)) resolveModelFile(environment, model);
  const isPresent = known === null ? !isUrl(model) : existsSync(join(modelsFolder(environment), known.file));
  const download = isPresent ? null : { url: known?.url ?? model, bytes: known?.bytes ?? null };
  return { needsRuntime, download, known };
}

function isUrl(model: string): boolean {
  return /^https?:\/\//.test(model);
}

/** Downloads a known model, or a GGUF file from a URL, and verifies its hash. */
export async function downloadSearchModel(
  environment: Environment,
  model: string,
  sha256: string | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: string; bytes: number; hash: string }> {
  const known = findKnownModel(model);
  if (known === undefined && !isUrl(model))
    throw new AppError('bad-target', `unknown model ${model}`, {
      hint: 'run: keepsake models list',
    });
  const url = known?.url ?? model;
  const name = known?.file ?? basename(new URL(url).pathname);
  const file = join(modelsFolder(environment), name);
  const expected = sha256 ?? known?.sha256;
  const { bytes, sha256: hash } = await downloadModel({
    url,
    file,
    ...(expected !== undefined && { sha256: expected }),
    onProgress: ({ received, total }) => onProgress(received, total ?? known?.bytes ?? received + 1),
    signal: new AbortController().signal,
  });
  return { file, bytes, hash };
}

export function isRuntimeInstalled(environment: Environment): boolean {
  return hasRuntime(runtimeFolder(environment));
}

export async function installModelRuntime(
  environment: Environment,
  gpu: boolean,
  onProgress: (text: string) => void,
): Promise<void> {
  await installRuntime({
    folder: runtimeFolder(environment),
    gpu,
    onProgress: (progress) =>
      onProgress(
        progress.step === 'download'
          ? `downloading ${progress.packages.join(', ')}`
          : 'checking that it works',
      ),
  });
}
