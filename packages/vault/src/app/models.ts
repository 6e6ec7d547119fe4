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
  knownModel,
  knownModels,
  ModelError,
  modelRoles,
} from '../models/index.ts';
import type { KnownModel, LocalRuntime, ModelRole } from '../models/index.ts';
import type { SearchModels } from '../search/index.ts';
import { setConfigured } from './change-configuration.ts';
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

/** The models that the configuration names. One that cannot be had is told of, and done without. */
export function chooseModels(environment: Environment, isExcluded: SearchModels['isExcluded']): SearchModels {
  const { embedder, expander, reranker } = readConfiguration(environment).search ?? {};
  const folder = runtimeFolder(environment);
  const runtime = createLocalRuntime({ runtimeFolder: folder, gpu: hasGpuRuntime(folder) });
  const chosen: SearchModels = {
    embedder: null,
    withoutEmbedder: 'no embedding model is chosen: run keepsake models list',
    expander: null,
    reranker: null,
    isExcluded,
  };
  /** Tells `otherwise` what is missing, so that one model that cannot be had does not take the others with it. */
  const attempt = (work: () => void, otherwise: (error: ModelError) => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      otherwise(error);
    }
  };
  /** By whether the model is a file here or behind an address. */
  const create = <Model>(
    choice: SearchModel,
    local: (options: { runtime: LocalRuntime; modelFile: string }) => Model,
    remote: (options: ReturnType<typeof endpoint>) => Model,
  ): Model =>
    'file' in choice
      ? local({ runtime, modelFile: resolve(modelsFolder(environment), choice.file) })
      : remote(endpoint(choice, environment));
  if (embedder !== undefined)
    attempt(
      () => (chosen.embedder = create(embedder, createLocalEmbedder, createRemoteEmbedder)),
      (error) => (chosen.withoutEmbedder = describeError(error)),
    );
  if (expander !== undefined)
    attempt(
      () => (chosen.expander = create(expander, createLocalExpander, createRemoteExpander)),
      (error) => (chosen.expander = { expand: failing(error), close: async () => undefined }),
    );
  if (reranker !== undefined)
    attempt(
      () => (chosen.reranker = create(reranker, createLocalReranker, createRemoteReranker)),
      (error) => (chosen.reranker = { score: failing(error), close: async () => undefined }),
    );
  return chosen;
}

/** Stands for a model that cannot be had: who uses it learns why. */
function failing(error: ModelError): () => Promise<never> {
  return async () => {
    throw error;
  };
}

function endpoint({ baseUrl, model, keyVariable }: RemoteModel, { variable }: Environment) {
  const apiKey = keyVariable === undefined ? undefined : variable(keyVariable);
  if (keyVariable !== undefined && apiKey === undefined)
    throw new ModelError('refused', `the variable ${keyVariable}, which should hold a key, is not set`);
  return { baseUrl, model, ...(apiKey !== undefined && { apiKey }) };
}

export type ModelState = {
  /** Of a file of one's own what it is used for, if it is. */
  role: ModelRole | null;
  model: KnownModel | null;
  file: string;
  bytes: number | null;
  isInUse: boolean;
};

/** Every model that is known or there. */
export function listModels(environment: Environment): ModelState[] {
  const folder = modelsFolder(environment);
  const used = usedFiles(environment);
  const known = knownModels.map((model) => ({ model, file: join(folder, model.file) }));
  const others = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.gguf') && !knownModels.some(({ file }) => file === name))
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

/** The files that are chosen, and for what. */
function usedFiles(environment: Environment): Map<string, ModelRole> {
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

/** Writes the choice into the configuration file; everything else in it stays as it is. Null takes a model away. */
export function useModel(environment: Environment, role: ModelRole, choice: SearchModel | null): void {
  setConfigured(environment, { place: ['search', role], value: choice });
}

/** What a model is for: a known one says so itself; of any other one it is what was asked for, else an embedder. */
export function modelRole(model: string, asked: ModelRole | undefined): ModelRole {
  const known = knownModel(model);
  if (known === undefined || asked === undefined || known.role === asked)
    return known?.role ?? asked ?? 'embedder';
  throw new AppError(
    'bad-target',
    `${known.title} cannot be the ${asked}: it is made to be the ${known.role}`,
    {
      mend: 'see: keepsake models list',
    },
  );
}

/** The file of a model: of a known one, or one given as a file. It must be there. */
export function modelFile(environment: Environment, model: string): string {
  const known = knownModel(model);
  const file = known === undefined ? environment.resolve(model) : join(modelsFolder(environment), known.file);
  if (existsSync(file)) return known === undefined ? file : known.file;
  throw new AppError(
    'bad-target',
    known === undefined
      ? `there is no file ${file}, and no known model ${model}`
      : `${known.title} is not here yet`,
    {
      mend: known === undefined ? 'see: keepsake models list' : `get it with: keepsake models pull ${model}`,
    },
  );
}

/** Downloads a known model, or a GGUF file from an address, and checks it. */
export async function addModel(
  environment: Environment,
  model: string,
  sha256: string | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: string; bytes: number; hash: string }> {
  const known = knownModel(model);
  if (known === undefined && !/^https?:\/\//.test(model))
    throw new AppError('bad-target', `there is no known model ${model}`, {
      mend: 'see: keepsake models list',
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
  tell: (text: string) => void,
): Promise<void> {
  await installRuntime({
    folder: runtimeFolder(environment),
    gpu,
    onProgress: (progress) =>
      tell(
        progress.step === 'download'
          ? `downloading ${progress.packages.join(', ')}`
          : 'checking that it works',
      ),
  });
}
