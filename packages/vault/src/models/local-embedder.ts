import { basename } from 'node:path';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { poolingTypeRank } from './gguf-header.ts';
import type { LlamaEmbeddingContext, LlamaModel } from './llama.ts';
import { truncateToTokens, limitContextSize, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { readModelFile } from './model-file.ts';
import type { Embedder, EmbeddingPurpose } from './search-models.ts';
import { embeddingPrefixes, prefixVersion, applyPrefix } from './embedding-prefixes.ts';
import { normalizeVector } from './vector.ts';

type LoadedEmbedder = { model: LlamaModel; context: LlamaEmbeddingContext; contextSize: number };

/** An embedder that runs a GGUF file on this machine. */
export function createLocalEmbedder(options: LocalModelOptions): Embedder {
  const name = basename(options.modelFile);
  const file = readModelFile(options.modelFile);
  if (file.pooling === poolingTypeRank)
    throw new ModelError('bad-model', `${name} is a reranker and computes no vectors`, {
      hint: 'choose an embedder; keepsake models list shows them',
    });
  const prefixes = embeddingPrefixes(name);
  const local = createLocalModel(options, 'an embedding model', async (_, model) => {
    const contextSize = limitContextSize(model.trainContextSize);
    // A text must fit into one batch: if it is split, the vector covers only the last part.
    const sizes = { contextSize, batchSize: contextSize };
    const context = await model.createEmbeddingContext({ ...sizes, threads: options.runtime.threads });
    return { context, contextSize };
  });

  const embedOne = async (
    parts: LoadedEmbedder,
    text: string,
    purpose: EmbeddingPurpose,
  ): Promise<Float32Array> => {
    const { model, context, contextSize } = parts;
    const tokens = truncateToTokens(model, applyPrefix(text, purpose, prefixes), contextSize - specialTokens);
    try {
      const { vector } = await context.getEmbeddingFor(tokens);
      const normalised = normalizeVector(vector);
      if (normalised !== null) return normalised;
    } catch (cause) {
      throw new ModelError('bad-answer', `${name} failed to embed a text (${errorCodeOrMessage(cause)})`, {
        cause,
      });
    }
    throw new ModelError('bad-answer', `${name} returned an empty vector`, {
      hint: 'check that it is an embedding model',
    });
  };

  return {
    fingerprint: `${name} ${file.size} ${file.prefixSha256}, prefixes ${prefixes.family}-${prefixVersion}`,
    contextTokens: Math.floor((limitContextSize(file.contextTokens) * charactersPerToken) / 4),
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

/** Code, tables and languages other than English have fewer characters per token than the usual estimate of 4. */
const charactersPerToken = 3;
/** The runtime adds a token at the start and one at the end. */
const specialTokens = 2;
