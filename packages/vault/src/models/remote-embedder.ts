import { withAbort } from './abortable.ts';
import { toModelError, loadAiSdk } from './ai-sdk.ts';
import { ModelError } from './error.ts';
import type { Embedder, EmbeddingPurpose } from './search-models.ts';
import { embeddingPrefixes, prefixVersion, applyPrefix } from './embedding-prefixes.ts';
import { badResponseError, parseBaseUrl } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import { normalizeVector } from './vector.ts';

export type RemoteEmbedderOptions = RemoteEndpoint & {
  /** Context size of the model if it is not about 2,000 tokens; servers do not report it. */
  contextTokens?: number;
};

/** An embedder for any server with OpenAI's `/embeddings`: Ollama, llama.cpp, vLLM, or an online service. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { model, contextTokens = 2048 } = options;
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  const prefixes = embeddingPrefixes(model);
  const state: { dimensions?: number; closed: boolean } = { closed: false };

  const request = async (
    values: string[],
    use: EmbeddingPurpose,
    abortSignal: AbortSignal,
  ): Promise<number[][]> => {
    const loaded = await loadAiSdk(endpoint);
    // Queries are not retried: the user is waiting, and search works without their vectors. Documents can wait.
    const maxRetries = use === 'query' ? 0 : 3;
    try {
      const embeddingModel = loaded.provider.embeddingModel(model);
      return (await loaded.sdk.embedMany({ model: embeddingModel, values, maxRetries, abortSignal }))
        .embeddings;
    } catch (error) {
      throw toModelError(loaded.sdk, endpoint, error);
    }
  };

  /** Only the server can count tokens for its model; if it reports that a text is too long, the text is truncated. */
  const requestWithTruncation = async (
    values: string[],
    use: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<number[][]> => {
    try {
      return await request(values, use, signal);
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'too-long') throw error;
      const [first = '', ...others] = values;
      if (others.length === 0 && first.length < minTruncatedCharacters) throw error;
      if (others.length === 0) return requestWithTruncation([first.slice(0, first.length / 2)], use, signal);
      const singly: number[][] = [];
      for (const value of values) singly.push(...(await requestWithTruncation([value], use, signal)));
      return singly;
    }
  };

  const validateVectors = (vectors: readonly number[][], count: number): Float32Array[] => {
    if (vectors.length !== count)
      throw badResponseError(endpoint, `returned ${vectors.length} vectors for ${count} texts`);
    return vectors.map((vector) => {
      const normalised = normalizeVector(vector);
      if (normalised === null) throw badResponseError(endpoint, 'returned an empty vector');
      state.dimensions ??= normalised.length;
      if (normalised.length !== state.dimensions)
        throw badResponseError(
          endpoint,
          `returned a vector of ${normalised.length} numbers after one of ${state.dimensions}`,
        );
      return normalised;
    });
  };

  const embed: Embedder['embed'] = (texts, use, signal) =>
    withAbort(signal, async () => {
      if (state.closed) throw new ModelError('closed', 'this embedder is closed', { hint: 'open another' });
      const prepared = texts.map((text) => applyPrefix(text.slice(0, contextTokens * 4), use, prefixes));
      const vectors: Float32Array[] = [];
      for (const batch of batches(prepared))
        vectors.push(...validateVectors(await requestWithTruncation(batch, use, signal), batch.length));
      return vectors;
    });

  return {
    // Includes the URL, because two servers may use the same name for different models.
    fingerprint: `${model} at ${endpoint.baseUrl}, prefixes ${prefixes.family}-${prefixVersion}`,
    contextTokens,
    embed,
    async dimensions(signal) {
      if (state.dimensions === undefined) await embed(['dimensions'], 'query', signal);
      return state.dimensions ?? 0;
    },
    async close() {
      state.closed = true;
    },
  };
}

// Limits of one request: small enough for a home server to answer before its own timeout.
const maxBatchTexts = 64;
const maxBatchCharacters = 200_000;
const minTruncatedCharacters = 200;

function* batches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (
      batch.length === maxBatchTexts ||
      (batch.length > 0 && characters + text.length > maxBatchCharacters)
    ) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
