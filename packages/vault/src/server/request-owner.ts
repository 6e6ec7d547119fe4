import { AppError } from '../app/index.ts';
import type { OwnerProcess } from '../app/index.ts';
import { OwnerGoneError } from './owner-gone-error.ts';

export type Body = { type: string; content: string | Buffer };

type Asked = {
  /** Sent with POST; without it the request is a GET. */
  body?: Body | undefined;
  /** Aborts the request, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
};

/**
 * Makes one HTTP request as the user to the process that serves the vault, and returns the JSON of the response. Throws
 * an owner-gone error if that process does not respond, and `AppError` with its message if it refuses the request.
 */
export async function requestOwner<Answer>(
  { url, secret }: OwnerProcess,
  path: string,
  { body, signal }: Asked = {},
): Promise<Answer> {
  const { status, text } = await send(`${url}/api/vaults/default${path}`, secret, { body, signal });
  if (status === 401) throw new OwnerGoneError('the vault is now served by another process');
  if (status < 300) return JSON.parse(text) as Answer;
  const { detail, next } = parseProblem(text);
  throw new AppError(
    status < 500 ? 'bad-input' : 'bad-state',
    detail ?? `the service responded with status ${status}`,
    {
      hint: next ?? 'run: keepsake doctor',
    },
  );
}

export function jsonBody(value: unknown): Body {
  return { type: 'application/json', content: JSON.stringify(value) };
}

function parseProblem(text: string): { detail?: string; next?: string } {
  try {
    return JSON.parse(text) as { detail?: string; next?: string };
  } catch {
    return {};
  }
}

function send(
  url: string,
  secret: string,
  { body, signal }: Asked,
): Promise<{ status: number; text: string }> {
  // Neither `fetch` nor an import: both load the whole HTTP client, which takes longer than the rest of the command.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(
        signal?.aborted === true
          ? signal.reason
          : new OwnerGoneError('the process serving the vault is not responding', cause),
      );
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': body.type, 'content-length': Buffer.byteLength(body.content) }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    request(url, { method, headers, agent: false, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    })
      .once('error', fail)
      .end(body?.content);
  });
}
