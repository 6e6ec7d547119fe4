import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../packages/vault/src/app/index.ts';
import { createFileChange } from '../../packages/vault/src/changes/index.ts';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import {
  createPlacement,
  createRootKey,
  migrateService,
  openHostedVault,
  openObjectStore,
} from '../../packages/service/src/hosting/index.ts';
import type {
  HostedVault,
  ObjectStore,
  ObjectStoreSettings,
  Placement,
} from '../../packages/service/src/hosting/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { sharedServer } from '../shared-server.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { openDatabases } from './postgres.ts';
import type { TestDatabases } from './postgres.ts';
import { createBucket } from './s3.ts';

export const rootKeyBytes = Buffer.alloc(32, 7);
export const rootKey = createRootKey(rootKeyBytes);

type TestNode = {
  name: string;
  placement: Placement;
  open(vault: string, more?: Partial<Parameters<typeof openHostedVault>[0]>): Promise<HostedVault>;
  /** Deletes everything on the disk of the node. */
  loseDisk(): void;
};

export type TestService = {
  pool: pg.Pool;
  databases: TestDatabases;
  store: ObjectStore;
  /** The settings of the object store, for a separate process. */
  settings: ObjectStoreSettings;
  /** Creates a node without a port, optionally with the disk of another node or another database. */
  aNode(more?: { disk?: string; at?: pg.Pool }): Promise<TestNode>;
  /** Makes a node count as dead, as after missed heartbeats. */
  forget(node: TestNode): Promise<void>;
  stop(): Promise<void>;
};

/** Opens databases and a bucket on the servers that all test files of a run share. */
export async function openStores(): Promise<Pick<TestService, 'databases' | 'settings'>> {
  const [folder, endpoint] = await Promise.all([sharedServer('postgres'), sharedServer('object-store')]);
  const databases = openDatabases(folder, `_${randomBytes(8).toString('hex')}`);
  return { databases, settings: await createBucket(endpoint) };
}

/** Starts the shared resources of a service on this machine. */
export async function startTestService(): Promise<TestService> {
  const { databases, settings } = await openStores();
  const pool = await databases.createDatabase('service');
  const store = openObjectStore(settings);
  // Several nodes may run the migrations at the same time.
  await Promise.all([migrateService(pool), migrateService(pool)]);
  let nodes = 0;
  return {
    pool,
    databases,
    store,
    settings,
    async aNode({ disk = temporaryFolder(), at = pool } = {}) {
      const name = `node-${(nodes += 1)}`;
      const placement = createPlacement({ pool: at, node: name, address: `http://${name}`, rootKey });
      await placement.join();
      // Only `forget` makes a node count as dead, however busy this machine is.
      await at.query("update nodes set seen_at = 'infinity' where id = $1", [name]);
      return {
        name,
        placement,
        async open(vault, more) {
          const claimed = await placement.claim(vault);
          if ('owner' in claimed) throw new Error(`${claimed.owner} has it`);
          const hosted = await openHostedVault({
            pool: at,
            store,
            claimed,
            folder: join(disk, vault),
            environment: environmentIn(disk),
            ...more,
          });
          onTestFinished(() => hosted.close().catch(() => undefined));
          return hosted;
        },
        loseDisk: () => rmSync(disk, { recursive: true, force: true }),
      };
    },
    async forget({ name }) {
      await pool.query("update nodes set seen_at = '-infinity' where id = $1", [name]);
    },
    stop: () => databases.close(),
  };
}

export function environmentIn(home: string): Environment {
  return { ...readEnvironment({ PATH: process.env['PATH'] }), home, stateHome: join(home, 'state-home') };
}

/** Saves a file as an editor or an AI client does. */
export async function write(
  keepsake: Keepsake,
  name: string,
  after: string | Buffer,
  before: string | null = null,
): Promise<string> {
  const change = createFileChange(
    path(name),
    before === null ? null : Buffer.from(before),
    Buffer.from(after),
  );
  if (change === null) throw new Error('nothing to write');
  const written = await keepsake.changes.writer.write([change], { origin: 'test', summary: `wrote ${name}` });
  if (written.kind !== 'written') throw new Error(written.kind);
  return written.id;
}

export const path = (name: string): VaultPath => `vault/${name}` as VaultPath;
export const textIn = ({ root }: Keepsake, name: string): string => readFileSync(join(root, name), 'utf8');
export const update = (text: string): UpdateInput => ({
  text,
  files: [],
  source: { kind: 'person', name: 'test' },
});

/** Reads every file, change and update, for comparison. */
export function allOf(keepsake: Keepsake) {
  const names = readdirSync(keepsake.root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
  return {
    files: names.map((name) => [
      name.slice(keepsake.root.length),
      createHash('sha256').update(readFileSync(name)).digest('hex'),
    ]),
    changes: keepsake.changes.list({ limit: 999 }).map(({ id, state, summary }) => [id, state, summary]),
    updates: keepsake.agents.updates.list({ limit: 99 }).map(({ id, input }) => [id, input]),
  };
}
