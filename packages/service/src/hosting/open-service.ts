import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import { openObjectStore } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import { createRootKey } from './root-key.ts';
import type { RootKey } from './root-key.ts';
import { migrateService } from './vault-registry.ts';

/** The resources that all nodes of a service share. */
export type ServiceContext = ServiceStores & {
  /** Used only for heartbeats. */
  heartbeatPool: pg.Pool;
  rootKey: RootKey;
};

/** What a worker needs: it gets the keys of its vaults from its node. */
export type ServiceStores = { pool: pg.Pool; store: ObjectStore; close(): Promise<void> };

/** Reads the settings from environment variables: they contain secrets, which must not be on a command line. */
export async function openServiceContext(environment: Environment): Promise<ServiceContext> {
  const requireVariable = createVariableReader(environment);
  const keyFile = requireVariable(
    'KEEPSAKE_ROOT_KEY_FILE',
    'a file of 32 random bytes, the same on every node',
  );
  const nextKeyFile = environment.variable('KEEPSAKE_NEXT_ROOT_KEY_FILE') ?? '';
  const rootKey = createRootKey(readRootKey(keyFile), nextKeyFile === '' ? null : readRootKey(nextKeyFile));
  const stores = openServiceStores(environment);
  const heartbeatPool = openPool(databaseUrl(environment), { max: 1, timeoutMs: 1_500 });
  const close = async (): Promise<void> => void (await Promise.all([stores.close(), heartbeatPool.end()]));
  try {
    await migrateService(stores.pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...stores, heartbeatPool, rootKey, close };
}

/** Opens the database and the object store. */
export function openServiceStores(environment: Environment, maxDatabaseConnections = 20): ServiceStores {
  const requireVariable = createVariableReader(environment);
  const store = openObjectStore({
    endpoint: requireVariable(
      'KEEPSAKE_S3_ENDPOINT',
      'the URL of the object store, such as https://s3.example.org',
    ),
    bucket: requireVariable('KEEPSAKE_S3_BUCKET', 'the name of the bucket'),
    region: environment.variable('AWS_REGION') ?? 'us-east-1',
    accessKeyId: requireVariable('AWS_ACCESS_KEY_ID', 'an access key of the object store'),
    secretAccessKey: requireVariable('AWS_SECRET_ACCESS_KEY', 'the secret of that access key'),
  });
  // Long enough for a busy database, short enough to report an unreachable one.
  const pool = openPool(databaseUrl(environment), { max: maxDatabaseConnections, timeoutMs: 5_000 });
  return { pool, store, close: () => pool.end() };
}

function databaseUrl(environment: Environment): string {
  const requireVariable = createVariableReader(environment);
  return requireVariable('KEEPSAKE_DATABASE_URL', 'a database URL, such as postgres://user@host/keepsake');
}

function createVariableReader({ variable }: Environment): (name: string, what: string) => string {
  return (name, what) => {
    const value = variable(name);
    if (value === undefined)
      throw new HostingError('bad-settings', `${name} is not set`, { hint: `set it to ${what}` });
    return value;
  };
}

function openPool(connectionString: string, { max, timeoutMs }: { max: number; timeoutMs: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  // The pool replaces an idle connection that breaks; without a listener, the error would end the process.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const tracedQuery = (...args: unknown[]): Promise<unknown> =>
    withSpan({ name: 'sql', operation: firstWord(args[0]) }, () => query(...args));
  return Object.assign(pool, { query: tracedQuery as typeof pool.query });
}

/** The verb of an SQL statement, for traces: it contains no names or values. */
function firstWord(statement: unknown): string {
  return typeof statement === 'string' ? (/\w+/.exec(statement)?.[0] ?? '') : '';
}

function readRootKey(file: string): Buffer {
  try {
    const key = readFileSync(file);
    if (key.length === 32) return key;
    throw new Error(`it has ${key.length} bytes`);
  } catch (cause) {
    throw new HostingError('bad-settings', `${file} is not a valid root key (32 bytes)`, {
      hint: 'create one with: head -c 32 /dev/urandom > <file>; keep a copy: without it, no vault can be decrypted',
      cause,
    });
  }
}
