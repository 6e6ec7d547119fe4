// node test/hosting/acceptance.ts [group,…]: runs the acceptance cases in a cluster of two nodes, one with a worker, with
// calls alternating between the gateways of both.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { backUp, openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  createRootKey,
  createServiceToken,
  migrateService,
  registerVault,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import { dataKeyAad } from '../../packages/service/src/hosting/placement.ts';
import { uploadSnapshot } from '../../packages/service/src/hosting/snapshots.ts';
import { processVariables } from '../process-variables.ts';
import { startPostgres } from './postgres.ts';
import { startObjectStore } from './s3.ts';
import { startWorkers } from './start-workers.ts';

type Asked = { vault: string; calls: { tool: string; input: unknown }[] };
type Hosted = { id: string; token: string };
type Outcome =
  | { kind: 'refused'; message: string }
  | { kind: 'result'; result: { text: string; value: { errors: unknown[] } } };

/** The groups whose cases only call tools. */
const groups = ['read', 'concat', 'tree', 'vault', 'write', 'search', 'result', 'ranges'];

const root = mkdtempSync(join(tmpdir(), 'keepsake-acceptance-'));
const environment = { ...readEnvironment(processVariables), home: root, stateHome: join(root, 'home') };
const rootKey = createRootKey(Buffer.alloc(32, 7));
const postgres = await startPostgres();
const pool = await postgres.createDatabase('service');
const { store, settings, stop } = await startObjectStore();
await migrateService(pool);
const common = { pool, store, rootKey, host: '127.0.0.1', port: 0, environment, log: () => undefined };
const nodes = [
  await startNode({
    ...common,
    name: 'a',
    cacheFolder: join(root, 'a'),
    workers: startWorkers({ databases: postgres, settings }, { home: root }),
  }),
  await startNode({ ...common, name: 'b', cacheFolder: join(root, 'b') }),
];

/** Uploads the files of a case as the first snapshot of a vault that is not served yet. */
async function register(vault: string): Promise<Hosted> {
  const id = await registerVault(pool, rootKey);
  const [state, copy] = [join(root, `${id}-state`), join(root, `${id}-copy`)];
  const keepsake = await openKeepsake({ vault, state, environment });
  await backUp(keepsake, copy);
  await keepsake.close();
  const { rows } = await pool.query<{ data_key: Buffer }>('select data_key from vaults where id = $1', [id]);
  const key = rootKey.unseal(dataKeyAad(id), rows[0]?.data_key ?? Buffer.alloc(0));
  const name = await uploadSnapshot({ store, vault: id, key, epoch: 0 }, copy, null);
  await pool.query('update vaults set snapshot = $2, snapshot_seq = 0 where id = $1', [id, name]);
  return {
    id,
    token: await createServiceToken({ pool, rootKey }, { vault: id, name: 'acceptance', scope: 'write' }),
  };
}

let turn = 0;
async function ask({ id, token }: Hosted, path: string, body?: object): Promise<Response> {
  turn += 1;
  const response = await fetch(`${nodes[turn % 2]?.address}/v/${id}/api/vaults/default/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function call(hosted: Hosted, tool: string, input: unknown, run: string): Promise<Outcome> {
  const response = await ask(hosted, `tools/${encodeURIComponent(tool)}`, { input, run });
  if (response.ok) return (await response.json()) as Outcome;
  return { kind: 'refused', message: await response.text() };
}

/** Writes the current files of the vault to the folder where the case expects them. */
async function bringBack(hosted: Hosted, vault: string): Promise<void> {
  const outcome = await call(hosted, 'tree', {}, randomUUID());
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const { entries } = outcome.result.value as unknown as { entries: { path: string }[] };
  rmSync(vault, { recursive: true });
  mkdirSync(vault);
  for (const { path } of entries) {
    const place = join(vault, path.replace(/^vault\//, ''));
    if (path.endsWith('/')) mkdirSync(place, { recursive: true });
    else {
      const file = await ask(
        hosted,
        `files/${path
          .replace(/^vault\//, '')
          .split('/')
          .map(encodeURIComponent)
          .join('/')}`,
      );
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, Buffer.from(await file.arrayBuffer()));
    }
  }
}

const known = new Map<string, Promise<Hosted>>();
async function answer({ vault, calls }: Asked): Promise<object[]> {
  if (!known.has(vault)) known.set(vault, register(vault));
  const hosted = await known.get(vault);
  if (hosted === undefined) throw new Error('no vault');
  const run = randomUUID();
  const answers: object[] = [];
  for (const { tool, input } of calls) {
    const outcome = await call(hosted, tool, input, run);
    answers.push(
      outcome.kind === 'refused'
        ? { isRefused: true, ok: false, text: outcome.message }
        : { isRefused: false, ok: outcome.result.value.errors.length === 0, text: outcome.result.text },
    );
  }
  await bringBack(hosted, vault);
  return answers;
}

const door = createServer((request, response) => {
  void json(request)
    .then((asked) => answer(asked as Asked))
    .then(
      (answers) => response.end(JSON.stringify(answers)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready));
const { port } = door.address() as AddressInfo;
const runner = spawn(
  process.execPath,
  [
    resolve('test/acceptance/run.mjs'),
    '-v',
    '--only',
    process.argv[2] ?? groups.join(','),
    process.execPath,
    resolve('test/hosting/acceptance-command.mjs'),
  ],
  { stdio: 'inherit', env: { ...processVariables, ACCEPTANCE_DOOR: `http://127.0.0.1:${port}` } },
);
process.exitCode = await new Promise<number>((ended) => runner.once('close', (code) => ended(code ?? 1)));
const { rows } = await pool.query<{ owner: string; vaults: number }>(
  'select owner, count(*)::int as vaults from vaults where owner is not null group by owner order by owner',
);
if (rows.length < nodes.length) {
  console.error(`not every node has served a vault: ${JSON.stringify(rows)}`);
  process.exitCode = 1;
}
door.close();
await Promise.all(nodes.map((node) => node.close()));
await stop();
await postgres.stop();
rmSync(root, { recursive: true, force: true });
