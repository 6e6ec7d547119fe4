import { AppError } from '../app/index.ts';
import type { Owner } from '../app/index.ts';
import { OwnerGone } from './owner-gone.ts';

export type Body = { type: string; content: string | Buffer };

type Asked = {
  /** Sent with POST; without it the request is a GET. */
  body?: Body | undefined;
  /** Rejects the request with its reason. */
  signal?: AbortSignal | undefined;
};

/**
 * Makes one HTTP request to the process that serves the vault, as the person, and gives the JSON of the answer. Throws
 * `OwnerGone` when that process does not answer, and `AppError` with its words when it refuses.
 */
export async function requestOwner<Answer>(
  { url, secret }: Owner,
  path: string,
  { body, signal }: Asked = {},
): Promise<Answer> {
  const { status, text } = await send(`${url}/api/vaults/default${path}`, secret, { body, signal });
  if (status === 401) throw new OwnerGone('another process serves the vault now');
  if (status < 300) return JSON.parse(text) as Answer;
  const { detail, next } = parseProblem(text);
  throw new AppError(status < 500 ? 'bad-input' : 'bad-state', detail ?? `the service answered ${status}`, {
    mend: next ?? 'see: keepsake doctor',
  });
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
  // Not `fetch`, nor an import: both load all of the HTTP client, which takes longer than everything else here.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(
        signal?.aborted === true
          ? signal.reason
          : new OwnerGone('the process that serves the vault does not answer', cause),
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
