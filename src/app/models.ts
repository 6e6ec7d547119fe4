import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describeError } from '../contract/index.ts';
import {
  createLocalEmbedder,
  createLocalRuntime,
  createRemoteEmbedder,
  createRemoteExpander,
  createRemoteReranker,
  downloadModel,
  hasRuntime,
  installRuntime,
  knownModel,
  knownModels,
  ModelError,
} from '../models/index.ts';
import type { Embedder, KnownModel } from '../models/index.ts';
import type { SearchModels } from '../search/index.ts';
import { setConfigured } from './change-configuration.ts';
import { readConfiguration } from './environment.ts';
import type { Configuration, Environment, RemoteModel } from './environment.ts';
import { AppError } from './error.ts';
import { readExclusion } from './exclusion.ts';

type SearchConfiguration = NonNullable<Configuration['search']>;

function modelsFolder({ dataHome }: Environment): string {
  return join(dataHome, 'models');
}

function runtimeFolder({ dataHome }: Environment): string {
  return join(dataHome, 'runtime');
}

/** The models that the configuration names. One that cannot be had is told of, and done without. */
export function chooseModels(environment: Environment): SearchModels {
  const { embedder, expander, reranker } = readConfiguration(environment).search ?? {};
  const chosen: SearchModels = {
    embedder: null,
    withoutEmbedder: 'no embedding model is chosen: run keepsake models list',
    expander: null,
    reranker: null,
    isExcluded: readExclusion(environment),
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
  if (embedder !== undefined)
    attempt(
      () => (chosen.embedder = createEmbedder(embedder, environment)),
      (error) => (chosen.withoutEmbedder = describeError(error)),
    );
  if (expander !== undefined)
    attempt(
      () => (chosen.expander = createRemoteExpander(endpoint(expander, environment))),
      (error) => (chosen.expander = { expand: failing(error) }),
    );
  if (reranker !== undefined)
    attempt(
      () => (chosen.reranker = createRemoteReranker(endpoint(reranker, environment))),
      (error) => (chosen.reranker = { score: failing(error) }),
    );
  return chosen;
}

/** Stands for a model that cannot be had: who uses it learns why. */
function failing(error: ModelError): () => Promise<never> {
  return async () => {
    throw error;
  };
}

function createEmbedder(
  embedder: NonNullable<SearchConfiguration['embedder']>,
  environment: Environment,
): Embedder {
  if (!('file' in embedder)) return createRemoteEmbedder(endpoint(embedder, environment));
  return createLocalEmbedder({
    modelFile: resolve(modelsFolder(environment), embedder.file),
    runtime: createLocalRuntime({ runtimeFolder: runtimeFolder(environment) }),
  });
}

function endpoint({ baseUrl, model, keyVariable }: RemoteModel, { variable }: Environment) {
  const apiKey = keyVariable === undefined ? undefined : variable(keyVariable);
  if (keyVariable !== undefined && apiKey === undefined)
    throw new ModelError('refused', `the variable ${keyVariable}, which should hold a key, is not set`);
  return { baseUrl, model, ...(apiKey !== undefined && { apiKey }) };
}

export type ModelState = { model: KnownModel | null; file: string; bytes: number | null; isInUse: boolean };

/** Every model that is known or there. */
export function listModels(environment: Environment): ModelState[] {
  const folder = modelsFolder(environment);
  const embedder = readConfiguration(environment).search?.embedder;
  const used = embedder !== undefined && 'file' in embedder ? resolve(folder, embedder.file) : null;
  const known = knownModels.map((model) => ({ model, file: join(folder, model.file) }));
  const others = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.gguf') && !knownModels.some(({ file }) => file === name))
    .map((name) => ({ model: null, file: join(folder, name) }));
  const elsewhere =
    used !== null && ![...known, ...others].some(({ file }) => file === used)
      ? [{ model: null, file: used }]
      : [];
  return [...known, ...others, ...elsewhere].map(({ model, file }) => ({
    model,
    file,
    bytes: existsSync(file) ? statSync(file).size : null,
    isInUse: file === used,
  }));
}

/** Writes the choice into the configuration file; everything else in it stays as it is. Null takes a model away. */
export function useModel<Role extends keyof SearchConfiguration>(
  environment: Environment,
  role: Role,
  choice: NonNullable<SearchConfiguration[Role]> | null,
): void {
  setConfigured(environment, { place: ['search', role], value: choice });
}

/** The file of a model: of a known one, or one given as a file. It must be there. */
export function modelFile(environment: Environment, model: string): string {
  const known = knownModel(model);
  const file = known === undefined ? resolve(model) : join(modelsFolder(environment), known.file);
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
