import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Environment } from '../app/index.ts';
import { HostingError } from './error.ts';
import { openObjectStore } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import { migrateService } from './vault-registry.ts';

/** What all nodes of a service share. */
export type Service = { pool: pg.Pool; store: ObjectStore; rootKey: Buffer };

/** From the variables of the process: they hold secrets, which have no place on a command line. */
export async function openService(environment: Environment): Promise<Service> {
  const need = (name: string, what: string): string => {
    const value = environment.variable(name);
    if (value === undefined)
      throw new HostingError('bad-settings', `${name} is not set`, { mend: `set it to ${what}` });
    return value;
  };
  const rootKey = readRootKey(
    need('KEEPSAKE_ROOT_KEY_FILE', 'a file of 32 random bytes, the same on every node'),
  );
  const store = openObjectStore({
    endpoint: need('KEEPSAKE_S3_ENDPOINT', 'the address of the object store, as https://s3.example.org'),
    bucket: need('KEEPSAKE_S3_BUCKET', 'the name of the bucket'),
    region: environment.variable('AWS_REGION') ?? 'us-east-1',
    accessKeyId: need('AWS_ACCESS_KEY_ID', 'a key of the object store'),
    secretAccessKey: need('AWS_SECRET_ACCESS_KEY', 'its secret'),
  });
  const pool = new pg.Pool({
    connectionString: need('KEEPSAKE_DATABASE_URL', 'a database, as postgres://user@host/keepsake'),
    max: 20,
    connectionTimeoutMillis: 5_000,
    // Long enough for a busy database, short enough to say that it cannot be reached.
    statement_timeout: 5_000,
    query_timeout: 5_000,
  });
  // A connection that breaks while nobody uses it is replaced.
  pool.on('error', () => undefined);
  try {
    await migrateService(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, store, rootKey };
}

function readRootKey(file: string): Buffer {
  try {
    const key = readFileSync(file);
    if (key.length === 32) return key;
    throw new Error(`it has ${key.length} bytes`);
  } catch (cause) {
    throw new HostingError('bad-settings', `${file} is no root key`, {
      mend: 'make one with: head -c 32 /dev/urandom > <file>, and keep it safe: without it no vault can be opened',
      cause,
    });
  }
}
