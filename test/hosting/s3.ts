import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import S3rver from 's3rver';
import { openObjectStore } from '../../packages/service/src/hosting/index.ts';
import type { ObjectStore, ObjectStoreSettings } from '../../packages/service/src/hosting/index.ts';

export type TestObjectStore = {
  store: ObjectStore;
  settings: ObjectStoreSettings;
  stop: () => Promise<void>;
};

const access = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Starts a local server with the real S3 protocol, without its durability. */
export async function startObjectStore(address = '127.0.0.1'): Promise<TestObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-s3-'));
  const bucket = 'vaults';
  const server = new S3rver({
    port: 0,
    address,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const settings = { endpoint: `http://${address}:${port}`, bucket, ...access };
  return {
    store: openObjectStore(settings),
    settings,
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates a bucket in a running object store. */
export async function createBucket(endpoint: string): Promise<ObjectStoreSettings> {
  const bucket = `vaults-${randomBytes(8).toString('hex')}`;
  const client = new AwsClient({ ...access, service: 's3' });
  const { ok, status } = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!ok) throw new Error(`the bucket could not be created (HTTP ${status})`);
  return { endpoint, bucket, ...access };
}
