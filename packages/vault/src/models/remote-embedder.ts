import { abortable } from './abortable.ts';
import { explainModelFailure, loadAiSdk } from './ai-sdk.ts';
import { ModelError } from './error.ts';
import type { Embedder, EmbeddingUse } from './ports.ts';
import { prefixesFor, prefixVersion, prepare } from './prefixes.ts';
import { answerError, parseBaseUrl } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import { normalise } from './vector.ts';

export type RemoteEmbedderOptions = RemoteEndpoint & {
  /** What the model takes, when it is not about 2,000 tokens; no server tells. */
  contextTokens?: number;
};

/** Vectors from any server with OpenAI's `/embeddings`: Ollama, llama.cpp, vLLM, or a service on the internet. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { model, contextTokens = 2048 } = options;
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  const prefixes = prefixesFor(model);
  const state: { dimensions?: number; closed: boolean } = { closed: false };

  const request = async (
    values: string[],
    use: EmbeddingUse,
    abortSignal: AbortSignal,
  ): Promise<number[][]> => {
    const loaded = await loadAiSdk(endpoint);
    // A person waits for a query, and search goes on without; a document can wait.
    const maxRetries = use === 'query' ? 0 : 3;
    try {
      const embeddingModel = loaded.provider.embeddingModel(model);
      return (await loaded.sdk.embedMany({ model: embeddingModel, values, maxRetries, abortSignal }))
        .embeddings;
    } catch (error) {
      throw explainModelFailure(loaded.sdk, endpoint, error);
    }
  };

  /** Only servers know how many tokens a text has for their model; when one says it is too long, it is cut. */
  const requestFitting = async (
    values: string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<number[][]> => {
    try {
      return await request(values, use, signal);
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'too-long') throw error;
      const [first = '', ...others] = values;
      if (others.length === 0 && first.length < shortestCut) throw error;
      if (others.length === 0) return requestFitting([first.slice(0, first.length / 2)], use, signal);
      const singly: number[][] = [];
      for (const value of values) singly.push(...(await requestFitting([value], use, signal)));
      return singly;
    }
  };

  const check = (vectors: readonly number[][], wanted: number): Float32Array[] => {
    if (vectors.length !== wanted)
      throw answerError(endpoint, `sent ${vectors.length} vectors for ${wanted} texts`);
    return vectors.map((vector) => {
      const normalised = normalise(vector);
      if (normalised === null) throw answerError(endpoint, 'sent an empty vector');
      state.dimensions ??= normalised.length;
      if (normalised.length !== state.dimensions)
        throw answerError(
          endpoint,
          `sent a vector of ${normalised.length} numbers after one of ${state.dimensions}`,
        );
      return normalised;
    });
  };

  const embed: Embedder['embed'] = (texts, use, signal) =>
    abortable(signal, async () => {
      if (state.closed) throw new ModelError('closed', 'this embedder is closed', { mend: 'open another' });
      const prepared = texts.map((text) => prepare(text.slice(0, contextTokens * 4), use, prefixes));
      const vectors: Float32Array[] = [];
      for (const batch of batches(prepared))
        vectors.push(...check(await requestFitting(batch, use, signal), batch.length));
      return vectors;
    });

  return {
    // The address belongs to it: two servers may call different models by the same name.
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

// What one request may hold: small enough for a server at home to answer before its own timeout.
const mostTexts = 64;
const mostCharacters = 200_000;
const shortestCut = 200;

function* batches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === mostTexts || (batch.length > 0 && characters + text.length > mostCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
