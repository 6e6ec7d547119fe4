import { z } from 'zod';
import { withAbort } from './abortable.ts';
import type { Reranker } from './search-models.ts';
import {
  badResponseError,
  connectionError,
  parseBaseUrl,
  statusError,
  redactError,
} from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/**
 * A reranker for a server with the `/rerank` endpoint that Jina, Cohere, llama.cpp and vLLM share. The AI SDK has no
 * provider for it that works without an account. Failed calls are not retried, because search works without a reranker.
 */
export function createRemoteReranker(options: RemoteEndpoint): Reranker {
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  // Some servers return probabilities, some logits, and none says which. A value outside 0 to 1 is a logit.
  const seen = { logits: false };
  return {
    score: (query, texts, signal) =>
      withAbort(signal, async () => {
        if (texts.length === 0) return [];
        const scores = parseScores(endpoint, await request(endpoint, query, texts, signal), texts.length);
        seen.logits ||= scores.some((score) => score < 0 || score > 1);
        return seen.logits ? scores.map(sigmoid) : scores;
      }),
    close: async () => undefined,
  };
}

async function request(
  endpoint: RemoteEndpoint,
  query: string,
  documents: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { baseUrl, model, apiKey } = endpoint;
  let response: Response;
  let body: string;
  try {
    response = await fetch(`${baseUrl}/rerank`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, query, documents, top_n: documents.length }),
      signal,
    });
    body = await response.text();
  } catch (cause) {
    throw connectionError(endpoint, cause);
  }
  if (!response.ok) throw redactError(statusError(endpoint, response.status, body), endpoint);
  return body;
}

const answer = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

function parseScores(endpoint: RemoteEndpoint, body: string, count: number): number[] {
  const parsed = answer.safeParse(parseJson(body));
  if (!parsed.success) throw badResponseError(endpoint, 'did not return a list of scores', parsed.error);
  const byIndex = new Map(parsed.data.results.map(({ index, relevance_score: score }) => [index, score]));
  return Array.from({ length: count }, (_, index) => {
    const score = byIndex.get(index);
    if (score === undefined)
      throw badResponseError(endpoint, `returned no score for text ${index + 1} of ${count}`);
    return score;
  });
}

/** Undefined for invalid JSON, which every schema here rejects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
