import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { inTurn } from '../contract/index.ts';
import { abortable } from './abortable.ts';
import { ModelError, reasonOf } from './error.ts';
import { readGgufHeader } from './gguf-header.ts';
import { loadLlama } from './llama.ts';
import type { Llama, LlamaEmbeddingContext, LlamaModel } from './llama.ts';
import type { Embedder, EmbeddingUse } from './ports.ts';
import { prefixesFor, prefixVersion, prepare } from './prefixes.ts';
import { normalise } from './vector.ts';

export type LocalEmbedderOptions = {
  /** Where `installRuntime` put it. */
  runtimeFolder: string;
  /** A GGUF file. */
  modelFile: string;
  threads?: number;
  /** Whether a graphics card may be used; the runtime must have been installed for it. */
  gpu?: boolean;
};

type Loaded = { llama: Llama; model: LlamaModel; context: LlamaEmbeddingContext; contextSize: number };

/** Vectors from a GGUF file on this machine. The model is loaded at the first call, and once. */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  const { runtimeFolder, modelFile, threads = defaultThreads(availableParallelism()), gpu = false } = options;
  const name = basename(modelFile);
  const file = inspect(modelFile);
  const prefixes = prefixesFor(name);
  const state: { loading: Promise<Loaded> | null; closed: boolean } = { loading: null, closed: false };
  /** A context computes one text at a time anyway. */
  const embedding = inTurn();

  const load = (): Promise<Loaded> => {
    state.loading ??= loadModel({ runtimeFolder, threads, gpu }, modelFile).catch((error: unknown) => {
      state.loading = null; // what was missing may be there at the next call
      throw error;
    });
    return state.loading;
  };

  const use = <Value>(signal: AbortSignal, work: (loaded: Loaded) => Promise<Value>): Promise<Value> =>
    abortable(signal, () =>
      embedding(async () => {
        signal.throwIfAborted();
        if (state.closed) throw new ModelError('closed', 'this embedder is closed', { mend: 'open another' });
        return work(await load());
      }),
    );

  const embedOne = async (loaded: Loaded, text: string, purpose: EmbeddingUse): Promise<Float32Array> => {
    const { model, context, contextSize } = loaded;
    const tokens = model.tokenize(prepare(text, purpose, prefixes), false, 'trimLeadingSpace');
    try {
      const { vector } = await context.getEmbeddingFor(tokens.slice(0, contextSize - marks));
      const normalised = normalise(vector);
      if (normalised !== null) return normalised;
    } catch (cause) {
      throw new ModelError('bad-answer', `${name} failed to embed a text (${reasonOf(cause)})`, { cause });
    }
    throw new ModelError('bad-answer', `${name} gave an empty vector`, {
      mend: 'is it a model for embeddings?',
    });
  };

  return {
    fingerprint: `${name} ${file.size} ${file.hash}, prefixes ${prefixes.family}-${prefixVersion}`,
    contextTokens: Math.floor((contextSizeOf(file.contextTokens) * charactersPerToken) / 4),
    dimensions: (signal) => use(signal, async ({ model }) => model.embeddingVectorSize),
    embed: (texts, purpose, signal) =>
      use(signal, async (loaded) => {
        const vectors: Float32Array[] = [];
        for (const text of texts) {
          signal.throwIfAborted();
          vectors.push(await embedOne(loaded, text, purpose));
        }
        return vectors;
      }),
    close: () =>
      embedding(async () => {
        state.closed = true;
        const loaded = await state.loading?.catch(() => null);
        state.loading = null;
        await loaded?.context.dispose();
        await loaded?.model.dispose();
        await loaded?.llama.dispose();
      }),
  };
}

/**
 * One core is left to others: the threads of a computation wait for each other without sleeping, so that one which has
 * to share its core holds up all (measured on two busy cores: two threads take 120 ms for what one does in 6).
 */
export function defaultThreads(cores: number): number {
  return Math.min(Math.max(cores - 1, 1), 4);
}

// Models with a longer context exist; the memory it takes grows with it, and sections are shorter.
const longestContext = 2048;
/** Code, tables and other languages than English have fewer characters in a token than the 4 everybody reckons with. */
const charactersPerToken = 3;
/** The runtime adds a token at the beginning and one at the end. */
const marks = 2;

function contextSizeOf(trained: number | null): number {
  return Math.min(trained ?? 512, longestContext);
}

async function loadModel(
  options: { runtimeFolder: string; threads: number; gpu: boolean },
  modelFile: string,
): Promise<Loaded> {
  const llama = await loadLlama(options);
  try {
    const model = await llama.loadModel({ modelPath: modelFile, ...(!options.gpu && { gpuLayers: 0 }) });
    const contextSize = contextSizeOf(model.trainContextSize);
    // A text has to go through in one batch: of one that is split, the vector covers only the last part.
    const sizes = { contextSize, batchSize: contextSize };
    const context = await model.createEmbeddingContext({ ...sizes, threads: options.threads });
    return { llama, model, context, contextSize };
  } catch (cause) {
    await llama.dispose();
    throw new ModelError('bad-model', `${modelFile} cannot be loaded (${reasonOf(cause)})`, {
      mend: 'is it a model for embeddings, and is there memory for it?',
      cause,
    });
  }
}

type ModelFile = { size: number; hash: string; contextTokens: number | null };

/** The first megabyte tells a file from any other: it holds the metadata, and its length is taken along. */
function inspect(modelFile: string): ModelFile {
  let start: Buffer;
  let size: number;
  try {
    const descriptor = openSync(modelFile, 'r');
    try {
      size = fstatSync(descriptor).size;
      start = Buffer.alloc(Math.min(size, 2 ** 20));
      start = start.subarray(0, readSync(descriptor, start, 0, start.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new ModelError('no-model', `${modelFile} cannot be read (${reasonOf(cause)})`, {
      mend: 'download a model with: keepsake models pull',
      cause,
    });
  }
  const header = readGgufHeader(start);
  if (header === null)
    throw new ModelError('bad-model', `${modelFile} is not a GGUF model`, {
      mend: 'delete it and download it again',
    });
  const hash = createHash('sha256').update(start).digest('hex').slice(0, 16);
  return { size, hash, contextTokens: header.contextTokens };
}
