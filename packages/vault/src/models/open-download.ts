import { ModelError } from './error.ts';

export type Fetch = typeof globalThis.fetch;

/** What the host says of the file, and its bytes from `from` on unless there are none left. */
export type Download = { sha256: string | null; total: number | null } & (
  | { kind: 'body'; from: number; body: ReadableStream<Uint8Array> }
  | { kind: 'past-the-end' }
);

type Source = { url: string; fetch: Fetch; signal: AbortSignal };

/**
 * Asks for a file from one byte on. Redirects are followed by hand: Hugging Face states checksum and size on the answer
 * that redirects to where the bytes are, and nobody else is believed about them.
 */
export async function openDownload({ url, fetch, signal }: Source, from: number): Promise<Download> {
  // Compressed, sizes and positions would be those of other bytes.
  const headers = { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) };
  const stated: { sha256: string | null; size: number | null } = { sha256: null, size: null };
  let address = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await fetch(address, { redirect: 'manual', signal, headers });
    if (address.origin === new URL(url).origin) {
      stated.sha256 ??= sha256In(response.headers.get('x-linked-etag'));
      stated.size ??= numberIn(response.headers.get('x-linked-size'));
    }
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      return read(response, from, stated, address.href);
    await response.body?.cancel();
    const next = new URL(location, address);
    if (address.protocol === 'https:' && next.protocol !== 'https:')
      throw new ModelError('bad-download', `${url} leads to an address that is not encrypted`, {
        mend: 'do not use it',
      });
    address = next;
  }
  throw new ModelError('bad-download', `${url} leads from one address to the next without end`, {
    mend: 'check it',
  });
}

const mostRedirects = 5;

async function read(
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
    mend: string,
  ): Promise<never> => {
    await body?.cancel();
    throw new ModelError(code, message, { mend });
  };
  if (status === 416) {
    await body?.cancel();
    return {
      kind: 'past-the-end',
      sha256,
      total: stated.size ?? rangeIn(headers.get('content-range')).total,
    };
  }
  if (status === 401 || status === 403)
    return refuse(
      'refused',
      `${address} answered ${status}`,
      'the model may need an account: download it by hand',
    );
  if (status === 408 || status === 429 || status >= 500)
    return refuse('unavailable', `${address} answered ${status}`, 'try again later');
  if ((status !== 200 && status !== 206) || body === null)
    return refuse('bad-download', `${address} answered ${status}`, 'check the address');
  if (headers.get('content-type')?.startsWith('text/html') === true)
    return refuse('bad-download', `${address} sent a web page and no model`, 'is a login page in between?');
  if (status === 200)
    return {
      kind: 'body',
      from: 0,
      body,
      sha256,
      total: stated.size ?? numberIn(headers.get('content-length')),
    };
  const range = rangeIn(headers.get('content-range'));
  if (range.from !== from)
    return refuse('bad-download', `${address} sent another part than was asked for`, 'delete the .part file');
  return { kind: 'body', from, body, sha256, total: stated.size ?? range.total };
}

/** Of a file that is not in large file storage the tag is a shorter hash of something else. */
function sha256In(etag: string | null): string | null {
  const [, hash = null] = /^"?([0-9a-f]{64})"?$/i.exec(etag ?? '') ?? [];
  return hash?.toLowerCase() ?? null;
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** `bytes 200-999/1000`, or with a star for the range when the part asked for is not there. */
function rangeIn(text: string | null): { from: number | null; total: number | null } {
  const [, from = null, total = null] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(text ?? '') ?? [];
  return { from: numberIn(from), total: numberIn(total) };
}
