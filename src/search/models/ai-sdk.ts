import type * as Sdk from 'ai';
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { ModelError } from './error.ts';
import { answerError, connectionError, silenceError, statusError } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type AiSdk = { sdk: typeof Sdk; provider: OpenAICompatibleProvider };

/** Loaded at the first call: it takes a quarter of a second, which most commands need not pay. */
export async function loadAiSdk({ baseUrl, apiKey }: RemoteEndpoint): Promise<AiSdk> {
  const [sdk, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  const provider = createOpenAICompatible({
    name: 'remote',
    baseURL: baseUrl,
    ...(apiKey !== undefined && { apiKey }),
  });
  return { sdk, provider };
}

/** What an error of the AI SDK means for the person. */
export function explainModelFailure(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): ModelError {
  const last = sdk.RetryError.isInstance(error) ? error.lastError : error;
  if (last instanceof ModelError) return last;
  if (last instanceof Error && ['AbortError', 'TimeoutError'].includes(last.name))
    return silenceError(endpoint, last);
  if (!sdk.APICallError.isInstance(last))
    return answerError(endpoint, `did not answer (${String(last)})`, last);
  if (last.statusCode === undefined) return connectionError(endpoint, last);
  if (last.statusCode >= 300) {
    const { message, responseBody: body = '' } = last;
    // The SDK finds the message in the body only where OpenAI puts it.
    return statusError(endpoint, last.statusCode, body.includes(message) ? message : body || message, last);
  }
  // A body that ends too early is a TypeError of fetch; one that is not what was expected, an error of the SDK.
  return last.cause instanceof TypeError
    ? connectionError(endpoint, last)
    : answerError(endpoint, 'sent something else than was asked for', last);
}
