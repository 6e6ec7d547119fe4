import { AwsClient } from 'aws4fetch';
import { HostingError } from './error.ts';

/** Bytes by name, anywhere that speaks the protocol of S3. */
export type ObjectStore = {
  /** Returns once it is kept. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Buffer>;
  /** What begins so, everything. */
  list(prefix: string): Promise<string[]>;
  /** Also when it is gone already. */
  remove(name: string): Promise<void>;
};

export type ObjectStoreSettings = {
  /** Of the service; the bucket is part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** For one object, in milliseconds: the largest is a few megabytes. */
const patience = 60_000;

export function openObjectStore({ endpoint, bucket, ...settings }: ObjectStoreSettings): ObjectStore {
  // It tries again by itself when the service is busy.
  const client = new AwsClient({ ...settings, service: 's3' });
  const ask = async (path: string, method: string, body?: Uint8Array): Promise<Response> => {
    const options = { method, signal: AbortSignal.timeout(patience) };
    try {
      return await client.fetch(
        `${endpoint}/${bucket}${path}`,
        body === undefined ? options : { ...options, body: new Uint8Array(body) },
      );
    } catch (cause) {
      throw new HostingError('unavailable', 'the object store does not answer', {
        mend: 'try again in a moment',
        cause,
      });
    }
  };
  const pathOf = (name: string): string => `/${name.split('/').map(encodeURIComponent).join('/')}`;
  const expectOk = async (response: Response, what: string): Promise<Response> => {
    if (response.ok) return response;
    const said = (await response.text()).slice(0, 200);
    throw new HostingError('unavailable', `the object store did not ${what} (${response.status}): ${said}`);
  };
  return {
    async put(name, bytes) {
      await expectOk(await ask(pathOf(name), 'PUT', bytes), `keep ${name}`);
    },
    async get(name) {
      const response = await expectOk(await ask(pathOf(name), 'GET'), `give ${name}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async list(prefix) {
      const names: string[] = [];
      for (let more: string | undefined = ''; more !== undefined;) {
        const asked = new URLSearchParams({
          'list-type': '2',
          prefix,
          ...(more && { 'continuation-token': more }),
        });
        const response = await expectOk(await ask(`?${String(asked)}`, 'GET'), `list ${prefix}`);
        const text = await response.text();
        // Our names have no character that XML would write otherwise.
        names.push(...[...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map((found) => found[1] ?? ''));
        more = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
      }
      return names;
    },
    async remove(name) {
      await expectOk(await ask(pathOf(name), 'DELETE'), `remove ${name}`);
    },
  };
}
