import { ModelError } from './error.ts';

export type Fetch = typeof globalThis.fetch;

/** The metadata that the host reports, and the bytes from `from` on unless the range is empty. */
export type Download = { sha256: string | null; total: number | null } & (
  | { kind: 'body'; from: number; body: ReadableStream<Uint8Array> }
  | { kind: 'range-not-satisfiable' }
);

type DownloadSource = { url: string; fetch: Fetch; signal: AbortSignal };

/**
 * Requests a file starting at a byte offset. Redirects are followed manually: Hugging Face sends checksum and size
 * with the redirect to the storage host, and only the original host is trusted for them.
 */
export async function startDownload({ url, fetch, signal }: DownloadSource, from: number): Promise<Download> {
  // With compression, sizes and offsets would refer to other bytes.
  const headers = { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) };
  const stated: { sha256: string | null; size: number | null } = { sha256: null, size: null };
  let address = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(address, { redirect: 'manual', signal, headers });
    if (address.origin === new URL(url).origin) {
      stated.sha256 ??= parseSha256(response.headers.get('x-linked-etag'));
      stated.size ??= parseInteger(response.headers.get('x-linked-size'));
    }
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      return parseResponse(response, from, stated, address.href);
    await response.body?.cancel();
    const next = new URL(location, address);
    if (address.protocol === 'https:' && next.protocol !== 'https:')
      throw new ModelError('bad-download', `${url} redirects to an unencrypted address`, {
        hint: 'do not use it',
      });
    address = next;
  }
  throw new ModelError('bad-download', `too many redirects from ${url}`, {
    hint: 'check the URL',
  });
}

const maxRedirects = 5;

async function parseResponse(
  response: Response,
  from: number,
  stated: { sha256: string | null; size: number | null },
  address: string,
): Promise<Download> {
  const { status, headers, body } = response;
  const sha256 = stated.sha256;
  const refuse = async (
    code: 'bad-download' | 'unavailable' | 'refused',
    message: string,
    hint: string,
  ): Promise<never> => {
    await body?.cancel();
    throw new ModelError(code, message, { hint });
  };
  if (status === 416) {
    await body?.cancel();
    return {
      kind: 'range-not-satisfiable',
      sha256,
      total: stated.size ?? parseContentRange(headers.get('content-range')).total,
    };
  }
  if (status === 401 || status === 403)
    return refuse(
      'refused',
      `${address} returned HTTP ${status}`,
      'the model may require an account; download it manually',
    );
  if (status === 408 || status === 429 || status >= 500)
    return refuse('unavailable', `${address} returned HTTP ${status}`, 'try again later');
  if ((status !== 200 && status !== 206) || body === null)
    return refuse('bad-download', `${address} returned HTTP ${status}`, 'check the URL');
  if (headers.get('content-type')?.startsWith('text/html') === true)
    return refuse(
      'bad-download',
      `${address} returned a web page instead of a model`,
      'check whether a login page intercepts the download',
    );
  if (status === 200)
    return {
      kind: 'body',
      from: 0,
      body,
      sha256,
      total: stated.size ?? parseInteger(headers.get('content-length')),
    };
  const range = parseContentRange(headers.get('content-range'));
  if (range.from !== from)
    return refuse('bad-download', `${address} returned the wrong byte range`, 'delete the .part file');
  return { kind: 'body', from, body, sha256, total: stated.size ?? range.total };
}

/** Null for files outside Git LFS, whose ETag is a shorter hash of something else. */
function parseSha256(etag: string | null): string | null {
  const [, hash = null] = /^"?([0-9a-f]{64})"?$/i.exec(etag ?? '') ?? [];
  return hash?.toLowerCase() ?? null;
}

function parseInteger(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Parses `bytes 200-999/1000`, with a star in place of the range if the range cannot be satisfied. */
function parseContentRange(text: string | null): { from: number | null; total: number | null } {
  const [, from = null, total = null] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(text ?? '') ?? [];
  return { from: parseInteger(from), total: parseInteger(total) };
}
