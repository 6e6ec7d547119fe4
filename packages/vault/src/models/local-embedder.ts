import { basename } from 'node:path';
import { ModelError, reasonOf } from './error.ts';
import { rankPooling } from './gguf-header.ts';
import type { LlamaEmbeddingContext, LlamaModel } from './llama.ts';
import { beginningOf, contextSizeOf, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { inspectModelFile } from './model-file.ts';
import type { Embedder, EmbeddingUse } from './ports.ts';
import { prefixesFor, prefixVersion, prepare } from './prefixes.ts';
import { normalise } from './vector.ts';

type Parts = { model: LlamaModel; context: LlamaEmbeddingContext; contextSize: number };

/** Vectors from a GGUF file on this machine. */
export function createLocalEmbedder(options: LocalModelOptions): Embedder {
  const name = basename(options.modelFile);
  const file = inspectModelFile(options.modelFile);
  if (file.pooling === rankPooling)
    throw new ModelError('bad-model', `${name} is a reranker: it computes scores and no vectors`, {
      mend: 'choose an embedder: keepsake models list',
    });
  const prefixes = prefixesFor(name);
  const local = createLocalModel(options, 'a model for embeddings', async (_, model) => {
    const contextSize = contextSizeOf(model.trainContextSize);
    // A text has to go through in one batch: of one that is split, the vector covers only the last part.
    const sizes = { contextSize, batchSize: contextSize };
    const context = await model.createEmbeddingContext({ ...sizes, threads: options.runtime.threads });
    return { context, contextSize };
  });

  const embedOne = async (parts: Parts, text: string, purpose: EmbeddingUse): Promise<Float32Array> => {
    const { model, context, contextSize } = parts;
    const tokens = beginningOf(model, prepare(text, purpose, prefixes), contextSize - marks);
    try {
      const { vector } = await context.getEmbeddingFor(tokens);
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
    dimensions: (signal) => local.use(signal, async ({ model }) => model.embeddingVectorSize),
    embed: (texts, purpose, signal) =>
      local.use(signal, async (parts) => {
        const vectors: Float32Array[] = [];
        for (const text of texts) {
          signal.throwIfAborted();
          vectors.push(await embedOne(parts, text, purpose));
        }
        return vectors;
      }),
    close: () => local.close(),
  };
}

/** Code, tables and other languages than English have fewer characters in a token than the 4 everybody reckons with. */
const charactersPerToken = 3;
/** The runtime adds a token at the beginning and one at the end. */
const marks = 2;
