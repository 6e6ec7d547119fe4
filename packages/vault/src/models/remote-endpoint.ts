import { inspect } from 'node:util';
import { fromStoredReason, reasonFor } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import { ModelError, reasonOf } from './error.ts';
import { statedContext } from './stated-context.ts';

/** A server that speaks like OpenAI's: `baseUrl` is what its paths are appended to, most often ending in `/v1`. */
export type RemoteEndpoint = { baseUrl: string; model: string; apiKey?: string };

/** The base URL without a slash at its end. */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new ModelError('bad-address', `${baseUrl} is not an address of a model server`, {
      mend: 'give one such as http://127.0.0.1:11434/v1',
    });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ModelError(
      'bad-address',
      `the address of the model server at ${url.host} must end with its path`,
      { mend: 'give a key as the API key' },
    );
  return url.href.replace(/\/+$/, '');
}

/**
 * The error for an HTTP status that is not a success. `detail` is what the server said about it, `body` all that it sent,
 * in which there may be a code that tells more than the words.
 */
export function statusError(
  { baseUrl, model, apiKey }: RemoteEndpoint,
  status: number,
  detail: string,
  cause?: unknown,
  body = detail,
): ModelError {
  const words = detail === '' ? '' : ` (${shorten(redact(detail, apiKey))})`;
  const said = reasonFor('answered', { address: baseUrl, status: `${status}${words}` });
  if (status === 402 || noCredit.test(body))
    return new ModelError('refused', said, {
      mend: 'the account with this provider has no credit left, or has reached its limit: top it up or raise the limit, or choose another model',
      cause,
    });
  if (status === 401 || status === 403 || badKey.test(body))
    return new ModelError('refused', said, { mend: 'check the API key and what it may use', cause });
  if ([400, 413, 422, 500].includes(status) && isTooLong(detail, body))
    return new ModelError('too-long', said, {
      mend: `set how many tokens ${model} takes`,
      cause,
      // All of what the server said: what a person reads is shortened, and has the address in it.
      contextTokens: statedContext(detail),
    });
  if (status === 404)
    return new ModelError('rejected', said, {
      mend: `check the address, and that the server has the model ${model}`,
      cause,
    });
  if (status === 408 || status === 429 || status >= 500)
    return new ModelError('unavailable', said, { mend: 'try again later', cause });
  return new ModelError('rejected', said, { mend: `check that ${model} is a model for this`, cause });
}

/** Servers repeat the key that they do not like: in a message, in a header, anywhere. */
export function withoutKey(error: ModelError, { apiKey }: RemoteEndpoint): ModelError {
  const hasKey = (value: unknown): boolean => {
    const shown = inspect(value, {
      depth: 10,
      maxStringLength: null,
      maxArrayLength: null,
      showHidden: true,
    });
    return redact(shown, apiKey) !== shown;
  };
  if (!hasKey(error)) return error;
  return new ModelError(error.code, redactReason(error.reason, apiKey), {
    mend: redact(error.mend, apiKey),
    cause: hasKey(error.cause) ? undefined : error.cause,
    contextTokens: error.contextTokens,
  });
}

function redactReason({ code, values }: Reason, apiKey: string | undefined): Reason {
  const redacted = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(value, apiKey) : value,
  ]);
  return fromStoredReason({ code, values: Object.fromEntries(redacted) });
}

function redact(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}

/** The error for a connection that could not be made or kept. */
export function connectionError({ baseUrl }: RemoteEndpoint, cause: unknown): ModelError {
  const problem = reasonOf(cause);
  const isUnknown = problem === 'ENOTFOUND' || problem === 'EAI_AGAIN';
  return new ModelError('unreachable', reasonFor('unreachable', { address: baseUrl, problem }), {
    mend: isUnknown ? 'check the address, and that this machine is online' : 'is the server running?',
    cause,
  });
}

/** The error for a server that took too long. */
export function silenceError({ baseUrl, model }: RemoteEndpoint, cause: unknown): ModelError {
  return new ModelError('unavailable', reasonFor('silent', { model, address: baseUrl }), {
    mend: 'try again later',
    cause,
  });
}

/** The error for an answer that is not usable; `problem` is null for something else than was asked for. */
export function answerError(
  { baseUrl, model }: RemoteEndpoint,
  problem: string | null,
  cause?: unknown,
): ModelError {
  const said =
    problem === null
      ? reasonFor('other-answer', { model, address: baseUrl })
      : `${model} at ${baseUrl} ${problem}`;
  return new ModelError('bad-answer', said, {
    mend: 'check that the address and the model are meant for this',
    cause,
  });
}

/** OpenAI and those who speak like it have a code for it; the others only words. */
function isTooLong(detail: string, body: string): boolean {
  return body.includes('context_length_exceeded') || (tooLong.test(detail) && !tooMuchAsked.test(detail));
}

const tooLong =
  /too (long|large|many tokens)|(context|input|sequence) (length|size|window)|maximum.*(length|tokens)/i;

// About how long the answer may become, which a shorter text would not change.
const tooMuchAsked = /\bmax_tokens\b.*\b(output|completion) tokens/i;

// Google answers 400.
const badKey = /API_KEY_INVALID|API key not valid/;

// About credit or billing, and not about how fast one asks: the codes of OpenAI (in a 429 like any other) and the words of
// Anthropic (in a 400) and of those who sell in advance. Google says «check your plan and billing» of every rate limit, so
// that these words prove nothing.
const noCredit =
  /insufficient[ _](quota|credits?|balance|funds)|credit[ _]balance|credits? (is|are|has been|have been) (depleted|exhausted|used up)|(spend|usage)_limit_exceeded|billing_(error|hard_limit_reached|not_active)|reached your specified API usage limits/i;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
