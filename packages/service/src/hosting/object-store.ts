import { AwsClient } from 'aws4fetch';
import { HostingError } from './error.ts';

/** Stores bytes by name in any S3-compatible service. */
export type ObjectStore = {
  /** Resolves once the object is stored durably. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Buffer>;
  /** Lists all names that start with `prefix`, across pages. */
  list(prefix: string): Promise<string[]>;
  /** Also succeeds if the object does not exist. */
  remove(name: string): Promise<void>;
};

export type ObjectStoreSettings = {
  /** The URL of the S3 service; the bucket becomes part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Timeout of one request in milliseconds; the largest objects have a few megabytes. */
const requestTimeoutMs = 60_000;

export function openObjectStore({ endpoint, bucket, ...settings }: ObjectStoreSettings): ObjectStore {
  // The client retries by itself when the service is busy.
  const client = new AwsClient({ ...settings, service: 's3' });
  const send = async (path: string, method: string, body?: Uint8Array): Promise<Response> => {
    const options = { method, signal: AbortSignal.timeout(requestTimeoutMs) };
    try {
      return await client.fetch(
        `${endpoint}/${bucket}${path}`,
        body === undefined ? options : { ...options, body: new Uint8Array(body) },
      );
    } catch (cause) {
      throw new HostingError('unavailable', 'the object store is unreachable', {
        hint: 'retry shortly',
        cause,
      });
    }
  };
  const pathOf = (name: string): string => `/${name.split('/').map(encodeURIComponent).join('/')}`;
  const expectOk = async (response: Response, what: string): Promise<Response> => {
    if (response.ok) return response;
    const responseText = (await response.text()).slice(0, 200);
    throw new HostingError(
      'unavailable',
      `the object store failed to ${what} (HTTP ${response.status}): ${responseText}`,
    );
  };
  return {
    async put(name, bytes) {
      await expectOk(await send(pathOf(name), 'PUT', bytes), `store ${name}`);
    },
    async get(name) {
      const response = await expectOk(await send(pathOf(name), 'GET'), `return ${name}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async list(prefix) {
      const names: string[] = [];
      for (let more: string | undefined = ''; more !== undefined;) {
        const parameters = new URLSearchParams({
          'list-type': '2',
          prefix,
          ...(more && { 'continuation-token': more }),
        });
        const response = await expectOk(await send(`?${String(parameters)}`, 'GET'), `list ${prefix}`);
        const text = await response.text();
        // Our object names contain no characters that XML escapes.
        names.push(...[...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map((found) => found[1] ?? ''));
        more = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
      }
      return names;
    },
    async remove(name) {
      await expectOk(await send(pathOf(name), 'DELETE'), `delete ${name}`);
    },
  };
}
