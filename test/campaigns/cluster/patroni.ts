import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresPrograms } from '../../hosting/postgres.ts';
import type { TestNetwork } from './network.ts';

export const members = ['p1', 'p2'];
const [etcdPort, databasePort, restPort] = [2379, 5432, 8008];

export const failovers = ['switchover', 'server killed', 'machine gone'] as const;
type Failover = (typeof failovers)[number];

/**
 * PostgreSQL with a synchronous standby, managed by Patroni and etcd, behind HAProxy, which listens at the address of
 * this process.
 */
export type TestPatroni = {
  url: string;
  pool: pg.Pool;
  /** Resolves when another member is primary and has a synchronous standby again. Returns the write outage in milliseconds. */
  failOver(how: Failover): Promise<number>;
  stop(): Promise<void>;
};

/** Whether all programs are installed. */
export function hasPatroni(): boolean {
  try {
    execFileSync('which', ['patroni', 'etcd', 'haproxy', 'setpriv'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startPatroni(network: TestNetwork): Promise<TestPatroni> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-patroni-'));
  chmodSync(folder, 0o755);
  const children: ChildProcess[] = [];
  const killChildren = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', killChildren);
  const start = (command: readonly string[]): void => {
    const [program = '', ...args] = command;
    children.push(spawn(program, args, { stdio: 'ignore' }));
  };
  const at = network.address;
  const etcd = `http://${at}:${etcdPort}`;
  const etcdOptions = `--unsafe-no-fsync --name e --listen-client-urls ${etcd} --advertise-client-urls ${etcd}`;
  start([
    'etcd',
    '--data-dir',
    join(folder, 'etcd'),
    '--listen-peer-urls',
    `http://${at}:2380`,
    ...etcdOptions.split(' '),
  ]);
  for (const member of members) {
    const own = join(folder, member);
    mkdirSync(own);
    execFileSync('chown', ['postgres:postgres', own]);
    writeFileSync(join(folder, `${member}.yml`), patroniSettings({ member, own, network }));
  }
  const asPostgres = 'setpriv --reuid=postgres --regid=postgres --clear-groups patroni'.split(' ');
  const startMember = (member: string): void =>
    start(network.on(member, [...asPostgres, join(folder, `${member}.yml`)]));
  members.forEach(startMember);
  writeFileSync(join(folder, 'haproxy.cfg'), balancerSettings(network));
  start(['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')]);

  const url = `postgres://keepsake@${at}:${databasePort}/postgres`;
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const primary = async (): Promise<string> => {
    const { rows } = await pool.query<{ at: string }>('select host(inet_server_addr()) as at');
    return members.find((member) => network.addressOf(member) === rows[0]?.at) ?? '';
  };
  const isReplicated = async (): Promise<boolean> => {
    const answer = await fetch(`http://${network.addressOf(await primary())}:${restPort}/cluster`);
    return (await answer.text()).includes('"sync_standby"');
  };
  await until('PostgreSQL with a standby', isReplicated);
  return {
    url,
    pool,
    async failOver(how) {
      const before = await primary();
      const after = members.find((member) => member !== before) ?? '';
      const began = performance.now();
      if (how === 'switchover')
        await fetch(`http://${network.addressOf(before)}:${restPort}/switchover`, {
          method: 'POST',
          body: JSON.stringify({ leader: before, candidate: after }),
        });
      else if (how === 'server killed') killPostgres(join(folder, before));
      else network.kill(before);
      await until('another primary', async () => {
        if ((await primary()) !== after) return false;
        await pool.query('create table if not exists tried (n int)');
        return true;
      });
      const took = performance.now() - began;
      if (how === 'machine gone') startMember(before);
      await until('a standby again', isReplicated);
      return took;
    },
    async stop() {
      await pool.end();
      for (const member of members) network.kill(member);
      killChildren();
      await sleep(200);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for a condition, with a long timeout for busy machines. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await isSo().catch(() => false)); await sleep(100))
    if (performance.now() - began > 300_000) throw new Error(`timed out waiting for ${what}`);
}

function killPostgres(own: string): void {
  const pid = execFileSync('head', ['-1', join(own, 'data', 'postmaster.pid')], { encoding: 'utf8' });
  process.kill(Number(pid), 'SIGKILL');
}

function patroniSettings({
  member,
  own,
  network,
}: {
  member: string;
  own: string;
  network: TestNetwork;
}): string {
  const at = network.addressOf(member);
  return JSON.stringify({
    scope: 'keepsake',
    name: member,
    restapi: { listen: `${at}:${restPort}`, connect_address: `${at}:${restPort}` },
    etcd3: { host: `${network.address}:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        // Patroni does not wait for a crashed primary to restart.
        primary_start_timeout: 0,
        master_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 150, shared_buffers: '64MB', wal_keep_size: '512MB' },
        },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        'data-checksums',
        { 'auth-host': 'trust' },
        { 'auth-local': 'trust' },
      ],
      pg_hba: ['local all all trust', 'host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust'],
    },
    postgresql: {
      listen: `${at}:${databasePort}`,
      connect_address: `${at}:${databasePort}`,
      data_dir: join(own, 'data'),
      bin_dir: postgresPrograms(),
      pgpass: join(own, 'pgpass'),
      authentication: {
        superuser: { username: 'keepsake' },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      parameters: { unix_socket_directories: own },
    },
  });
}

function balancerSettings(network: TestNetwork): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen postgres
  bind ${network.address}:${databasePort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((member) => `  server ${member} ${network.addressOf(member)}:${databasePort} check port ${restPort}`).join('\n')}
`;
}
