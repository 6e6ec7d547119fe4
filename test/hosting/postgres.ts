import { execFile, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgres } from '../missing.ts';

export type TestDatabases = {
  /** Creates an empty database. */
  createDatabase: (name: string) => Promise<pg.Pool>;
  /** The connection URL of a database, for other processes. */
  urlOf: (database: string) => string;
  close: () => Promise<void>;
};

export type TestPostgres = Omit<TestDatabases, 'close'> & {
  /** The folder that contains the socket of the server. */
  folder: string;
  stop: () => Promise<void>;
};

/**
 * Starts a real PostgreSQL server on a socket in a temporary folder, and at an address of a test network if one is
 * given.
 */
export async function startPostgres(at?: string): Promise<TestPostgres> {
  const bin = postgresPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-postgres-'));
  const data = join(folder, 'data');
  const owner = process.getuid?.() === 0 ? debianOwner() : null;
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const init = ['-D', data, '-A', 'trust', '-U', 'keepsake', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), init, { ...owner });
  if (at !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all 10.0.0.0/8 trust\n');
  const options = { listen_addresses: at ?? '', unix_socket_directories: folder, shared_buffers: '16MB' };
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...owner, stdio: 'ignore' });
  const admin = openPool(socketUrl(folder, 'postgres'), 1);
  for (let isUp = false; !isUp;) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start');
    isUp = await admin.query('select 1').then(
      () => true,
      () => new Promise<boolean>((done) => setTimeout(() => done(false), 50)),
    );
  }
  await admin.end();
  const { createDatabase, urlOf, close } = openDatabases(folder);
  return {
    folder,
    createDatabase,
    urlOf: (name) => (at === undefined ? urlOf(name) : `postgres://keepsake@${at}:5432/${name}`),
    async stop() {
      await close();
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Opens databases of the PostgreSQL server whose socket is in this folder. The suffix keeps their names unique among
 * test files.
 */
export function openDatabases(folder: string, suffix = ''): TestDatabases {
  const admin = openPool(socketUrl(folder, 'postgres'), 1);
  const pools = [admin];
  const urlOf = (name: string): string => socketUrl(folder, `${name}${suffix}`);
  return {
    async createDatabase(name) {
      await admin.query(`create database ${name}${suffix}`);
      const pool = openPool(urlOf(name), 8);
      pools.push(pool);
      return pool;
    },
    urlOf,
    close: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

function socketUrl(folder: string, database: string): string {
  return `postgres://keepsake@/${database}?host=${encodeURIComponent(folder)}`;
}

export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  // The server may end a connection that is being closed.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The folder of the PostgreSQL executables. */
export function postgresPrograms(): string {
  const folder = findPostgres();
  if (folder === null) throw new Error('PostgreSQL is not installed; .ci/tools installs it');
  return folder;
}

/** PostgreSQL refuses to run as root, so root runs it as the user that Debian's package creates. */
function debianOwner(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
