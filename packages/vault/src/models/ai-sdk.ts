import type * as Sdk from 'ai';
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { ModelError, reasonOf } from './error.ts';
import { answerError, connectionError, silenceError, statusError, withoutKey } from './remote-endpoint.ts';
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

/** What an error of the AI SDK means for the person. The key is neither in it nor in anything it was caused by. */
export function explainModelFailure(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): ModelError {
  return withoutKey(explain(sdk, endpoint, error), endpoint);
}

/**
 * What trying again at once cannot change: a key or an account that is refused, an address where nothing listens. The SDK
 * would ask twice more, and keep silent for six seconds meanwhile.
 */
export function failAtOnce(sdk: typeof Sdk, endpoint: RemoteEndpoint): Sdk.LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      try {
        return await doStream();
      } catch (error) {
        const explained = explain(sdk, endpoint, error);
        throw explained.code === 'refused' || reasonOf(error) === 'ECONNREFUSED' ? explained : error;
      }
    },
  };
}

function explain(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): ModelError {
  const last = sdk.RetryError.isInstance(error) ? error.lastError : error;
  if (last instanceof ModelError) return last;
  if (last instanceof Error && ['AbortError', 'TimeoutError'].includes(last.name))
    return silenceError(endpoint, last);
  if (!sdk.APICallError.isInstance(last)) return foreignError(endpoint, last);
  if (last.statusCode === undefined) return connectionError(endpoint, last);
  if (last.statusCode >= 300) {
    const { message, responseBody: body = '' } = last;
    // The SDK finds the message in the body only where OpenAI puts it.
    const detail = body.includes(message) ? message : body || message;
    return statusError(endpoint, last.statusCode, detail, last, body);
  }
  // A body that ends too early is a TypeError of fetch; one that is not what was expected, an error of the SDK.
  return last.cause instanceof TypeError
    ? connectionError(endpoint, last)
    : answerError(endpoint, null, last);
}

/** Not every provider throws the errors of the SDK; the official client of Ollama has its own, with a status in them. */
function foreignError(endpoint: RemoteEndpoint, error: unknown): ModelError {
  const chain = [error, error instanceof Error ? error.cause : undefined];
  const answered = chain.find((each) => each instanceof Error && 'status_code' in each);
  if (answered instanceof Error && 'status_code' in answered)
    return statusError(endpoint, Number(answered.status_code), answered.message, error);
  if (chain.some((each) => each instanceof TypeError)) return connectionError(endpoint, error);
  const isUnreadable = chain.some((each) => each instanceof SyntaxError);
  return answerError(endpoint, isUnreadable ? null : `did not answer (${reasonOf(error)})`, error);
}
