import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { traced } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import { openObjectStore } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import { migrateService } from './vault-registry.ts';

/** What all nodes of a service share. */
export type Service = {
  pool: pg.Pool;
  /** For signs of life alone. */
  pulse: pg.Pool;
  store: ObjectStore;
  rootKey: Buffer;
  close(): Promise<void>;
};

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
  const connectionString = need('KEEPSAKE_DATABASE_URL', 'a database, as postgres://user@host/keepsake');
  // Long enough for a busy database, short enough to say that it cannot be reached.
  const pool = openPool(connectionString, { max: 20, patience: 5_000 });
  const pulse = openPool(connectionString, { max: 1, patience: 1_500 });
  const close = async (): Promise<void> => void (await Promise.all([pool.end(), pulse.end()]));
  try {
    await migrateService(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, pulse, store, rootKey, close };
}

function openPool(connectionString: string, { max, patience }: { max: number; patience: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: patience,
    statement_timeout: patience,
    query_timeout: patience,
    keepAlive: true,
  });
  // A connection that breaks while nobody uses it is replaced; also one that is just being closed.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const tracedQuery = (...given: unknown[]): Promise<unknown> =>
    traced({ work: 'sql', operation: firstWord(given[0]) }, () => query(...given));
  return Object.assign(pool, { query: tracedQuery as typeof pool.query });
}

/** Of a statement of ours: what is done, and to nothing that it names. */
function firstWord(statement: unknown): string {
  return typeof statement === 'string' ? (/\w+/.exec(statement)?.[0] ?? '') : '';
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
