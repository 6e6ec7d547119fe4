// A hosted service for the attacks: PostgreSQL on a socket, an object store, and nodes of the built keepsake-service.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { failed, freePort, skipped, sleep, world } from './world.mjs';

const root = process.env.PROJECT;
const program = join(root, 'packages/service/dist/cli/main.js');
const require = createRequire(join(root, 'package.json'));

/**
 * `startNode(name, options)` resolves once a node answers; `cluster(...args)` runs a command of the operator and returns
 * what it prints. Everything ends with the attack.
 */
export async function startService() {
  if (!existsSync(program)) failed('packages/service is not built');
  const databaseUrl = await startPostgres();
  const env = {
    ...process.env,
    ...(await startObjectStore()),
    KEEPSAKE_DATABASE_URL: databaseUrl,
    KEEPSAKE_ROOT_KEY_FILE: join(world, 'root.key'),
  };
  writeFileSync(env.KEEPSAKE_ROOT_KEY_FILE, randomBytes(32), { mode: 0o600 });
  const cluster = (...args) =>
    execFileSync(process.execPath, [program, 'cluster', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    cluster,
    /** Registers a vault; returns a token that writes to it. */
    addVault(name) {
      cluster('add-vault', name);
      return /keepsake_\S+/.exec(cluster('add-token', name, 'laptop', '--scope', 'write'))[0];
    },
    async startNode(name, options = []) {
      const port = await freePort();
      const where = ['--port', String(port), '--folder', join(world, `node-${name}`)];
      const child = startChild(process.execPath, [program, 'node', '--name', name, ...where, ...options], {
        env,
      });
      const node = { url: `http://127.0.0.1:${port}`, port, pid: child.pid, log: '' };
      let out = '';
      child.stdout.on('data', (part) => (out += part));
      child.stderr.on('data', (part) => (node.log += part));
      const isUp = () => /^node .* at/m.test(out);
      for (let i = 0; i < 300 && !isUp(); i++) await sleep(100);
      if (!isUp()) failed(`the node does not start: ${node.log.slice(-900)}`);
      return node;
    },
  };
}

function startChild(file, args, options = {}) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** Returns the URL of an empty database. */
async function startPostgres() {
  const installed = '/usr/lib/postgresql';
  const [newest] = existsSync(installed) ? readdirSync(installed).toSorted((a, b) => b - a) : [];
  if (newest === undefined) skipped('there is no PostgreSQL');
  const bin = join(installed, newest, 'bin');
  // PostgreSQL refuses to run as root, and its user cannot read the world of this attack.
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres']));
  const owner = process.getuid() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  const folder = mkdtempSync('/tmp/keepsake-attack-postgres.');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'keepsake', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  });
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'shared_buffers=16MB',
    'fsync=off',
  ];
  startChild(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...owner,
    stdio: 'ignore',
  });
  const { default: pg } = await import(require.resolve('pg'));
  const urlOf = (database) => `postgres://keepsake@/${database}?host=${encodeURIComponent(folder)}`;
  for (let i = 0; ; i++) {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    try {
      await client.connect();
      await client.query('create database keepsake');
      return urlOf('keepsake');
    } catch (error) {
      if (i > 100) failed(`PostgreSQL does not start: ${error.message}`);
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Returns the variables with which nodes find it. */
async function startObjectStore() {
  const S3rver = require('s3rver');
  const directory = join(world, 'objects');
  mkdirSync(directory);
  const configureBuckets = [{ name: 'vaults', configs: [] }];
  const { port } = await new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets,
  }).run();
  return {
    KEEPSAKE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    KEEPSAKE_S3_BUCKET: 'vaults',
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  };
}
