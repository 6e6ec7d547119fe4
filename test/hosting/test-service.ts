import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/app/index.ts';
import type { Environment, Keepsake } from '../../src/app/index.ts';
import { fileChange } from '../../src/changes/index.ts';
import type { UpdateInput } from '../../src/contract/index.ts';
import { createPlacement, migrateService, openHosted } from '../../src/hosting/index.ts';
import type { HostedVault, ObjectStore, Placement } from '../../src/hosting/index.ts';
import type { VaultPath } from '../../src/vault/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { startPostgres } from './postgres.ts';
import type { TestPostgres } from './postgres.ts';
import { startObjectStore } from './s3.ts';

export const rootKey = Buffer.alloc(32, 7);

type TestNode = {
  name: string;
  placement: Placement;
  open(vault: string, more?: Partial<Parameters<typeof openHosted>[0]>): Promise<HostedVault>;
  /** What a machine loses with its disk. */
  loseDisk(): void;
};

export type TestService = {
  pool: pg.Pool;
  postgres: TestPostgres;
  store: ObjectStore;
  /** A node without a port. */
  aNode(): Promise<TestNode>;
  /** As if the database had heard nothing of a node for long. */
  forget(node: TestNode): Promise<void>;
  stop(): Promise<void>;
};

/** What the nodes of a service share, on this machine. */
export async function startTestService(): Promise<TestService> {
  const postgres = await startPostgres();
  const pool = await postgres.createDatabase('service');
  const objects = await startObjectStore();
  const { store } = objects;
  // Several nodes may start at once.
  await Promise.all([migrateService(pool), migrateService(pool)]);
  let nodes = 0;
  return {
    pool,
    postgres,
    store,
    async aNode() {
      const [name, disk] = [`node-${(nodes += 1)}`, temporaryFolder()];
      const placement = createPlacement({ pool, node: name, address: `http://${name}`, rootKey });
      await placement.join();
      // However busy this machine is: it is gone when the test says so.
      await pool.query("update nodes set seen_at = 'infinity' where id = $1", [name]);
      return {
        name,
        placement,
        async open(vault, more) {
          const claimed = await placement.claim(vault);
          if ('owner' in claimed) throw new Error(`${claimed.owner} has it`);
          const hosted = await openHosted({
            pool,
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
    async stop() {
      await objects.stop();
      await postgres.stop();
    },
  };
}

export function environmentIn(home: string): Environment {
  return { ...readEnvironment({ PATH: process.env['PATH'] }), home, stateHome: join(home, 'state-home') };
}

/** As an editor or an AI client saves a file. */
export async function write(
  keepsake: Keepsake,
  name: string,
  after: string | Buffer,
  before: string | null = null,
): Promise<string> {
  const change = fileChange(path(name), before === null ? null : Buffer.from(before), Buffer.from(after));
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
