/**
 * A `fetch` for model servers that fails with a `TimeoutError` when no byte arrives for `silenceMs`. Every byte counts,
 * also of headers, empty deltas and keep-alive comments. The built-in `fetch` gives up after five minutes without
 * headers, but a local model may need longer for a long prompt. Redirects are not followed, so that the key is not sent
 * to another host.
 */
export function createHttpFetch(silenceMs: number): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { method, signal, url } = asked;
    signal.throwIfAborted();
    const body = Buffer.from(await asked.arrayBuffer());
    const headers = { ...Object.fromEntries(asked.headers), 'content-length': body.length };
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const silence = new DOMException(`no data received for ${silenceMs / 1000} seconds`, 'TimeoutError');
    let isSilent = false;
    const toError = (cause: unknown): unknown => {
      if (isSilent) return silence;
      // The error that the built-in `fetch` throws when a connection fails.
      return signal.aborted ? signal.reason : new TypeError('fetch failed', { cause });
    };
    const { request: send } = url.startsWith('https:')
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http');
    const sent = send(url, { method, headers, signal, timeout: silenceMs }, (answer) =>
      resolve(toResponse(answer, toError)),
    );
    sent.on('timeout', () => {
      isSilent = true;
      sent.destroy(silence);
    });
    sent.on('error', (error) => reject(toError(error)));
    sent.end(body);
    return promise;
  };
}

/** The part of an incoming message that is used. */
type Answer = AsyncIterable<Uint8Array> & {
  statusCode?: number | undefined;
  statusMessage?: string | undefined;
  headersDistinct: Partial<Record<string, string[]>>;
};

function toResponse(answer: Answer, toError: (cause: unknown) => unknown): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = answer;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  const isEmpty = status === 204 || status === 304;
  const body = isEmpty ? null : ReadableStream.from(bytesOf(answer, toError));
  return new Response(body, { status, statusText, headers });
}

async function* bytesOf(
  answer: AsyncIterable<Uint8Array>,
  toError: (cause: unknown) => unknown,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* answer;
  } catch (error) {
    throw toError(error);
  }
}
