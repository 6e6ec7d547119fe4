import type * as Sdk from 'ai';
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { ModelError, errorCodeOrMessage } from './error.ts';
import {
  badResponseError,
  connectionError,
  timeoutError,
  statusError,
  redactError,
} from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type AiSdk = { sdk: typeof Sdk; provider: OpenAICompatibleProvider };

/** Loaded on the first call, because the import takes a quarter of a second and most commands do not need it. */
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

/** Translates an error of the AI SDK for the user. The API key is removed from the error and its causes. */
export function toModelError(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): ModelError {
  return redactError(classifyError(sdk, endpoint, error), endpoint);
}

/**
 * Stops retries that cannot succeed: a rejected key or account, or a refused connection. The SDK would retry twice
 * and delay the error by six seconds.
 */
export function skipFutileRetries(sdk: typeof Sdk, endpoint: RemoteEndpoint): Sdk.LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      try {
        return await doStream();
      } catch (error) {
        const explained = classifyError(sdk, endpoint, error);
        throw explained.code === 'refused' || errorCodeOrMessage(error) === 'ECONNREFUSED'
          ? explained
          : error;
      }
    },
  };
}

function classifyError(sdk: typeof Sdk, endpoint: RemoteEndpoint, error: unknown): ModelError {
  const last = sdk.RetryError.isInstance(error) ? error.lastError : error;
  if (last instanceof ModelError) return last;
  if (last instanceof Error && ['AbortError', 'TimeoutError'].includes(last.name))
    return timeoutError(endpoint, last);
  if (!sdk.APICallError.isInstance(last)) return toUnknownProviderError(endpoint, last);
  if (last.statusCode === undefined) return connectionError(endpoint, last);
  if (last.statusCode >= 300) {
    const { message, responseBody: body = '' } = last;
    // The SDK finds the message in the body only where OpenAI puts it.
    const detail = body.includes(message) ? message : body || message;
    return statusError(endpoint, last.statusCode, detail, last, body);
  }
  // A truncated body causes a TypeError in fetch; an unexpected body causes an error in the SDK.
  return last.cause instanceof TypeError
    ? connectionError(endpoint, last)
    : badResponseError(endpoint, null, last);
}

/** Some providers throw their own errors instead of the SDK's; those of the official Ollama client contain a status. */
function toUnknownProviderError(endpoint: RemoteEndpoint, error: unknown): ModelError {
  const chain = [error, error instanceof Error ? error.cause : undefined];
  const answered = chain.find((each) => each instanceof Error && 'status_code' in each);
  if (answered instanceof Error && 'status_code' in answered)
    return statusError(endpoint, Number(answered.status_code), answered.message, error);
  if (chain.some((each) => each instanceof TypeError)) return connectionError(endpoint, error);
  const isUnreadable = chain.some((each) => each instanceof SyntaxError);
  return badResponseError(
    endpoint,
    isUnreadable ? null : `did not answer (${errorCodeOrMessage(error)})`,
    error,
  );
}
