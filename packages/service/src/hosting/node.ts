import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import {
  builtInterface,
  createSharedAssets,
  listen,
  refuseConnection,
} from '../../../vault/src/server/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { createGateway, problem } from './gateway.ts';
import type { SnapshotAfter } from './hosted-vault.ts';
import { followService, removeExpired, repeat } from './housekeeping.ts';
import { usualDays } from './kept-snapshots.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { createNodeMetrics } from './node-metrics.ts';
import type { ObjectStore } from './object-store.ts';
import { createPlacement } from './placement.ts';
import { createServedVaults } from './served-vaults.ts';

export type NodeOptions = {
  pool: Pool;
  /** For signs of life alone: a database that has much to do does not delay them. */
  pulse?: Pool;
  store: ObjectStore;
  /** Opens the keys of all vaults. */
  rootKey: Buffer;
  /** Of this node alone; after a restart the same, so that it finds its copies again. */
  name: string;
  host: string;
  port: number;
  /** How other nodes reach it; left out, where it listens. */
  address?: string | undefined;
  /** Under which people and their programs reach the service through a balancer; left out, there are tokens only. */
  publicUrl?: string | undefined;
  /** It serves vaults of this group alone; left out, those that are in none. */
  group?: string | undefined;
  /** The folder of the built interface; left out, where the build puts it. */
  web?: string | undefined;
  /** For copies of vaults. */
  folder: string;
  environment: Environment;
  log: (entry: object) => void;
  /** Whether documents are refused where they cannot be converted in a sandbox. */
  isSandboxRequired?: boolean | undefined;
  /** How long a vault stays open that nobody asks for, in milliseconds. */
  idleAfter?: number;
  /** After how much a vault that stays open is put into the object store. */
  snapshotAfter?: SnapshotAfter;
  /** For how many days a vault can be restored. */
  keepFor?: number;
  /** What ties a request to the node that it is passed on to. */
  telemetry?: Pick<Telemetry, 'headers'>;
};

export type RunningNode = {
  address: string;
  /** The vaults that it serves at the moment. */
  awake(): string[];
  /** Hands its vaults over: requests that come meanwhile are answered by another node. */
  close(): Promise<void>;
};

/** As what a vault is asked by its node. */
const innerAddress = '127.0.0.1';
/** The same on every node: a session goes on wherever its vault is served. */
const cookieName = 'keepsake-service';
/** Each client of each vault may keep one open for events. */
const mostConnections = 20_000;
const beatEveryMs = 1_000;
const followEveryMs = 5_000;
const removeEveryMs = 600_000;

/** One of the machines of a service: any of them answers for any vault, the one that has it serves it. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { pool, log, idleAfter = 600_000, keepFor = usualDays } = options;
  const onError = (error: unknown): void => log({ level: 'error', message: describeError(error) });
  const listening = await listen({
    host: options.host,
    port: options.port,
    log,
    mostConnections,
    prepare: (incoming) => gateway.prepare(incoming),
    answer: (request, connection) => gateway.answer(request, connection),
    // Only a process on the machine of a vault may ask for more than an answer.
    takeConnection: (_, socket) => refuseConnection(socket),
  });
  const { port } = listening;
  const address = options.address ?? `http://${options.host}:${port}`;
  const placement = createPlacement({
    pool,
    ...(options.pulse && { pulse: options.pulse }),
    node: options.name,
    address,
    publicUrl: options.publicUrl,
    group: options.group,
    rootKey: options.rootKey,
  });
  const metrics = createNodeMetrics();
  const leases = createLeaseKeeper({
    placement,
    onLost: (claimed) => vaults.drop(claimed),
    onDrain() {
      if (vaults.isDraining()) return;
      vaults.stopOpening();
      vaults.awake.close().catch(onError);
    },
  });
  const vaults = createServedVaults({
    options: { ...options, keepFor, mount: { host: innerAddress, port, cookieName } },
    placement,
    leases,
    idleAfter,
    onOpened: (seconds) => metrics.opened(seconds),
    onError,
  });
  const assets = createSharedAssets(options.web ?? builtInterface());
  const gateway = createGateway({
    vaults,
    publicHost: options.publicUrl === undefined ? null : new URL(options.publicUrl).host,
    innerHost: () => `${innerAddress}:${port}`,
    isCutOff: () => leases.isCutOff(),
    answerOwn(method, pathname) {
      const isDraining = vaults.isDraining();
      if (pathname === '/metrics') return new Response(metrics.text({ awake: leases.count(), isDraining }));
      if (pathname === '/healthz')
        return isDraining || leases.isCutOff()
          ? new Response(isDraining ? 'draining' : 'cut off', { status: 503 })
          : new Response('ok');
      const asset = method === 'GET' || method === 'HEAD' ? assets(pathname) : null;
      if (asset !== null) return new Response(method === 'HEAD' ? null : asset.body, asset);
      return problem(404, 'the address of a vault begins with /v/<vault>/');
    },
    traceHeaders: () => options.telemetry?.headers() ?? {},
    metrics,
    log,
  });

  const beat = (): Promise<void> => leases.beat(vaults.opening());
  const follow = (): Promise<void> => followService({ pool, placement, leases, vaults, onError });
  const remove = (): Promise<void> => removeExpired({ ...options, keepFor, leases });
  await placement.join();
  await beat();
  const stops = [
    repeat(beatEveryMs, () => beat().catch(onError)),
    repeat(followEveryMs, () => follow().catch(onError)),
  ];
  await remove().catch(onError);
  stops.push(repeat(removeEveryMs, () => remove().catch(onError)));

  return {
    address,
    awake: () => vaults.awake.names(),
    async close() {
      vaults.stopOpening();
      await placement.drain();
      await vaults.awake.close();
      for (const stop of stops) stop();
      await listening.close();
      await placement.leave();
    },
  };
}
