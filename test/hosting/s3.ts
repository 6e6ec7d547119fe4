import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { openObjectStore } from '../../src/hosting/index.ts';
import type { ObjectStore, ObjectStoreSettings } from '../../src/hosting/index.ts';

export type TestObjectStore = {
  store: ObjectStore;
  settings: ObjectStoreSettings;
  stop: () => Promise<void>;
};

/** The real protocol, on this machine; not the real durability. */
export async function startObjectStore(address = '127.0.0.1'): Promise<TestObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-s3-'));
  const server = new S3rver({
    port: 0,
    address,
    silent: true,
    directory,
    configureBuckets: [{ name: 'vaults', configs: [] }],
  });
  const { port } = await server.run();
  const settings = {
    endpoint: `http://${address}:${port}`,
    bucket: 'vaults',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  return {
    store: openObjectStore(settings),
    settings,
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
