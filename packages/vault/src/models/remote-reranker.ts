import { z } from 'zod';
import { abortable } from './abortable.ts';
import type { Reranker } from './ports.ts';
import { answerError, connectionError, parseBaseUrl, statusError, withoutKey } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/**
 * Scores from a server with the `/rerank` that Jina, Cohere, llama.cpp and vLLM share. The AI SDK has no provider for it
 * that does without an account at one of them. There is no second attempt: a search goes on without.
 */
export function createRemoteReranker(options: RemoteEndpoint): Reranker {
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  // Some answer with probabilities, some with logits, and none says which. A logit outside of 0 to 1 gives it away.
  const seen = { logits: false };
  return {
    score: (query, texts, signal) =>
      abortable(signal, async () => {
        if (texts.length === 0) return [];
        const scores = readScores(endpoint, await request(endpoint, query, texts, signal), texts.length);
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
  if (!response.ok) throw withoutKey(statusError(endpoint, response.status, body), endpoint);
  return body;
}

const answer = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

function readScores(endpoint: RemoteEndpoint, body: string, wanted: number): number[] {
  const parsed = answer.safeParse(parseJson(body));
  if (!parsed.success) throw answerError(endpoint, 'sent something else than a list of scores', parsed.error);
  const byIndex = new Map(parsed.data.results.map(({ index, relevance_score: score }) => [index, score]));
  return Array.from({ length: wanted }, (_, index) => {
    const score = byIndex.get(index);
    if (score === undefined) throw answerError(endpoint, `sent no score for text ${index + 1} of ${wanted}`);
    return score;
  });
}

/** Undefined, which no schema here takes, for what is not JSON. */
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
