import { AwsClient } from 'aws4fetch';
import { HostingError } from './error.ts';

/** Bytes by name, anywhere that speaks the protocol of S3. */
export type ObjectStore = {
  /** Returns once it is kept. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Buffer>;
  has(name: string): Promise<boolean>;
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

export function openObjectStore({ endpoint, bucket, ...settings }: ObjectStoreSettings): ObjectStore {
  // It tries again by itself when the service is busy.
  const client = new AwsClient({ ...settings, service: 's3' });
  const ask = async (method: string, name: string, body?: Uint8Array): Promise<Response> => {
    const url = `${endpoint}/${bucket}/${name.split('/').map(encodeURIComponent).join('/')}`;
    return client.fetch(url, { method, ...(body === undefined ? {} : { body: new Uint8Array(body) }) });
  };
  const expectOk = async (response: Response, what: string): Promise<Response> => {
    if (response.ok) return response;
    const said = (await response.text()).slice(0, 200);
    throw new HostingError('unavailable', `the object store did not ${what} (${response.status}): ${said}`);
  };
  return {
    async put(name, bytes) {
      await expectOk(await ask('PUT', name, bytes), `keep ${name}`);
    },
    async get(name) {
      const response = await expectOk(await ask('GET', name), `give ${name}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async has(name) {
      const response = await ask('HEAD', name);
      if (response.status === 404) return false;
      await expectOk(response, `look for ${name}`);
      return true;
    },
    async remove(name) {
      await expectOk(await ask('DELETE', name), `remove ${name}`);
    },
  };
}
