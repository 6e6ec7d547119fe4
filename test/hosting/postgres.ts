import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../missing.ts';

export type TestPostgres = {
  /** A database of its own, empty. */
  createDatabase(name: string): Promise<pg.Pool>;
  /** How others reach it. */
  urlOf(database: string): string;
  stop(): Promise<void>;
};

/** A real PostgreSQL on a socket in a folder of its own, and at an address of a test network if one is given. */
export async function startPostgres(at?: string): Promise<TestPostgres> {
  const bin = postgresPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-postgres-'));
  const data = join(folder, 'data');
  const owner = process.getuid?.() === 0 ? debianOwner() : null;
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'keepsake', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  });
  if (at !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all 10.0.0.0/8 trust\n');
  const options = { listen_addresses: at ?? '', unix_socket_directories: folder, shared_buffers: '16MB' };
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...owner, stdio: 'ignore' });
  const connection = { host: folder, user: 'keepsake' };
  const openPool = (database: string, max: number): pg.Pool => {
    const pool = new pg.Pool({ ...connection, database, max });
    // The server may end a connection that is being closed.
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const admin = openPool('postgres', 1);
  for (let isUp = false; !isUp;) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start');
    isUp = await admin.query('select 1').then(
      () => true,
      () => new Promise<boolean>((done) => setTimeout(() => done(false), 50)),
    );
  }
  const pools = [admin];
  return {
    async createDatabase(name) {
      await admin.query(`create database ${name}`);
      const pool = openPool(name, 8);
      pools.push(pool);
      return pool;
    },
    urlOf: (name) =>
      at === undefined
        ? `postgres://keepsake@/${name}?host=${encodeURIComponent(folder)}`
        : `postgres://keepsake@${at}:5432/${name}`,
    async stop() {
      await Promise.all(pools.map((pool) => pool.end()));
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with its programs. */
export function postgresPrograms(): string {
  const folder = findPostgres();
  if (folder === null) throw new Error('PostgreSQL is not installed; .ci/run installs it');
  return folder;
}

/** PostgreSQL refuses to run as root, so root runs it as the user that Debian's package creates. */
function debianOwner(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
