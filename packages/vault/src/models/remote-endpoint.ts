import { inspect } from 'node:util';
import { fromStoredReason, formatReason } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { parseContextLimit } from './parse-context-limit.ts';

/** A server compatible with the OpenAI API; paths are appended to `baseUrl`, which usually ends in `/v1`. */
export type RemoteEndpoint = { baseUrl: string; model: string; apiKey?: string };

/** Validates the base URL and removes trailing slashes. */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new ModelError('bad-address', `${baseUrl} is not a valid URL of a model server`, {
      hint: 'use a URL such as http://127.0.0.1:11434/v1',
    });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ModelError(
      'bad-address',
      `the URL of the model server at ${url.host} must not contain credentials, a query or a fragment`,
      { hint: 'pass the key as the API key' },
    );
  return url.href.replace(/\/+$/, '');
}

/**
 * Maps an HTTP error status to an error. `detail` is the server's message; `body` is the full body, which may contain
 * a more specific code.
 */
export function statusError(
  { baseUrl, model, apiKey }: RemoteEndpoint,
  status: number,
  detail: string,
  cause?: unknown,
  body = detail,
): ModelError {
  const words = detail === '' ? '' : ` (${shorten(redactKey(detail, apiKey))})`;
  const reason = formatReason('answered', { address: baseUrl, status: `${status}${words}` });
  if (status === 402 || noCreditPattern.test(body))
    return new ModelError('refused', reason, {
      hint: planPattern.test(body)
        ? planHint
        : 'no credit left or limit reached; top up the account, raise the limit or choose another model',
      cause,
    });
  if (status === 401 || status === 403 || invalidKeyPattern.test(body))
    return new ModelError('refused', reason, {
      hint: planPattern.test(body) ? planHint : 'check the API key and its permissions',
      cause,
    });
  if ([400, 413, 422, 500].includes(status) && isContextExceeded(detail, body))
    return new ModelError('too-long', reason, {
      hint: `set the context size of ${model} (contextTokens)`,
      cause,
      // Parses the full message: the message for the user is shortened and contains the URL.
      contextTokens: parseContextLimit(detail),
    });
  if (status === 404)
    return new ModelError('rejected', reason, {
      hint: `check the URL and that the server has the model ${model}`,
      cause,
    });
  if (status === 408 || status === 429 || status >= 500)
    return new ModelError('unavailable', reason, { hint: 'try again later', cause });
  return new ModelError('rejected', reason, { hint: `check that ${model} supports this`, cause });
}

/** Removes the API key, which servers may repeat in messages, headers and elsewhere. */
export function redactError(error: ModelError, { apiKey }: RemoteEndpoint): ModelError {
  const hasKey = (value: unknown): boolean => {
    const shown = inspect(value, {
      depth: 10,
      maxStringLength: null,
      maxArrayLength: null,
      showHidden: true,
    });
    return redactKey(shown, apiKey) !== shown;
  };
  if (!hasKey(error)) return error;
  return new ModelError(error.code, redactReason(error.reason, apiKey), {
    hint: redactKey(error.hint, apiKey),
    cause: hasKey(error.cause) ? undefined : error.cause,
    contextTokens: error.contextTokens,
  });
}

function redactReason({ code, values }: Reason, apiKey: string | undefined): Reason {
  const redacted = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? redactKey(value, apiKey) : value,
  ]);
  return fromStoredReason({ code, values: Object.fromEntries(redacted) });
}

function redactKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}

/** The error for a connection that failed or was lost. */
export function connectionError({ baseUrl }: RemoteEndpoint, cause: unknown): ModelError {
  const problem = errorCodeOrMessage(cause);
  const isUnknown = problem === 'ENOTFOUND' || problem === 'EAI_AGAIN';
  return new ModelError('unreachable', formatReason('unreachable', { address: baseUrl, problem }), {
    hint: isUnknown ? 'check the URL and the network connection' : 'check that the server is running',
    cause,
  });
}

/** The error for a server that did not respond in time. */
export function timeoutError({ baseUrl, model }: RemoteEndpoint, cause: unknown): ModelError {
  return new ModelError('unavailable', formatReason('silent', { model, address: baseUrl }), {
    hint: 'try again later',
    cause,
  });
}

/** The error for an unusable response; with `problem` null, the response had an unexpected form. */
export function badResponseError(
  { baseUrl, model }: RemoteEndpoint,
  problem: string | null,
  cause?: unknown,
): ModelError {
  const reason =
    problem === null
      ? formatReason('other-answer', { model, address: baseUrl })
      : `${model} at ${baseUrl} ${problem}`;
  return new ModelError('bad-answer', reason, {
    hint: 'check the URL and that the model supports this',
    cause,
  });
}

/** OpenAI-compatible servers report an exceeded context with a code; others only with a message. */
function isContextExceeded(detail: string, body: string): boolean {
  return (
    body.includes('context_length_exceeded') || (tooLong.test(detail) && !outputLimitPattern.test(detail))
  );
}

const tooLong =
  /too (long|large|many tokens)|(context|input|sequence) (length|size|window)|maximum.*(length|tokens)/i;

// Matches errors about the length of the answer, which a shorter input would not change.
const outputLimitPattern = /\bmax_tokens\b.*\b(output|completion) tokens/i;

// Google reports an invalid key with status 400.
const invalidKeyPattern = /API_KEY_INVALID|API key not valid/;

// Matches errors about credit or billing, not rate limits: the codes of OpenAI (with status 429, like a rate limit)
// and the messages of Anthropic (status 400) and prepaid services. Google mentions "check your plan and billing" in
// every rate limit error, so those words are not matched.
const noCreditPattern =
  /insufficient[ _](quota|credits?|balance|funds)|credit[ _]balance|credits? (is|are|has been|have been) (depleted|exhausted|used up)|(spend|usage)_limit_exceeded|billing_(error|hard_limit_reached|not_active)|reached your specified API usage limits/i;

// The errors of OpenAI about the plan that pays after a sign-in with ChatGPT.
const planPattern = /subscription_sharing_/;
const planHint =
  'check the limits of your ChatGPT plan at https://chatgpt.com/settings/usage, or choose another model';

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
