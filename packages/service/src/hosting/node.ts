import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import {
  resolveAssetsFolder,
  createSharedAssets,
  listen,
  rejectUpgrade,
} from '../../../vault/src/server/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { createForwarder } from './forward-request.ts';
import { createGateway } from './gateway.ts';
import type { SnapshotThresholds } from './hosted-vault.ts';
import { createAccessFollower, followOwnership, removeExpired } from './housekeeping.ts';
import { defaultRetentionDays } from './snapshot-retention.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { createNodeMetrics } from './node-metrics.ts';
import type { NodeMetrics } from './node-metrics.ts';
import type { ObjectStore } from './object-store.ts';
import { createLocalOpener } from './open-vault.ts';
import type { OpenVaultSettings, VaultOpener } from './open-vault.ts';
import { createPlacement } from './placement.ts';
import type { ClaimedVault } from './placement.ts';
import { startPolling } from './polling.ts';
import { problemResponse } from './problem-response.ts';
import { killLeftWorkers } from './recorded-workers.ts';
import type { RootKey } from './root-key.ts';
import { createServedVaults } from './served-vaults.ts';
import type { ServedVaults } from './served-vaults.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { WorkerOptions, WorkerPool } from './worker-pool.ts';

export type NodeOptions = {
  pool: Pool;
  /** Used only for heartbeats, so that a busy connection pool does not delay them. */
  heartbeatPool?: Pool;
  store: ObjectStore;
  /** Decrypts the keys of all vaults. */
  rootKey: RootKey;
  /** Unique among nodes, and the same after a restart, so that the node can reuse its local copies. */
  name: string;
  host: string;
  port: number;
  /** The URL under which other nodes reach this one. Default: where it listens. */
  address?: string | undefined;
  /** The public URL of the service, behind a load balancer. Without it, clients can only use tokens. */
  publicUrl?: string | undefined;
  /** The node serves only vaults of this group. Without it, the node serves the vaults that have no group. */
  group?: string | undefined;
  /** The folder of the built web interface. Default: where the build puts it. */
  webAssetsFolder?: string | undefined;
  /** Holds local copies of vaults. */
  cacheFolder: string;
  environment: Environment;
  log: (entry: object) => void;
  /** Whether the node rejects documents when it has no sandbox to convert them in. */
  isSandboxRequired?: boolean | undefined;
  /** Milliseconds without a request after which a vault is closed. */
  idleTimeoutMs?: number;
  /** How much an open vault commits before a snapshot is taken. */
  snapshotAfter?: SnapshotThresholds;
  /** Number of days for which a vault can be restored to an earlier state. */
  keepFor?: number;
  /** Adds the trace context to proxied requests. */
  telemetry?: Pick<Telemetry, 'propagationHeaders'>;
  /** Opens vaults in processes of their own. Without it, this process opens them. */
  workers?: WorkerOptions | undefined;
};

export type RunningNode = {
  address: string;
  /** The ids of the vaults that are open on this node. */
  activeVaults(): string[];
  /** Drains the node: other nodes answer requests that arrive meanwhile. */
  close(): Promise<void>;
};

/** The address under which the node sends requests to its own vaults. */
const innerAddress = '127.0.0.1';
/** The same on every node, so that a session survives a move of its vault. */
const cookieName = 'keepsake-service';
/** High, because each client of each vault may keep one connection open for events. */
const maxConnections = 20_000;
const heartbeatIntervalMs = 1_000;
const followIntervalMs = 5_000;
const cleanupIntervalMs = 600_000;

/** Starts one node of a service. Any node answers requests for any vault; only the owner of a vault serves it. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { pool, log, idleTimeoutMs = 600_000, keepFor = defaultRetentionDays } = options;
  const onError = (error: unknown): void => log({ level: 'error', message: describeError(error) });
  await killLeftWorkers(options.cacheFolder);
  const listening = await listen({
    host: options.host,
    port: options.port,
    log,
    maxConnections,
    onRequest: (incoming) => gateway.prepare(incoming),
    handle: (request, connection) => gateway.answer(request, connection),
    // Only processes on the same machine as the vault may upgrade a connection.
    onUpgrade: (_, socket) => rejectUpgrade(socket),
  });
  const { port } = listening;
  const address = options.address ?? `http://${options.host}:${port}`;
  const placement = createPlacement({
    pool,
    ...(options.heartbeatPool && { heartbeatPool: options.heartbeatPool }),
    node: options.name,
    address,
    publicUrl: options.publicUrl,
    group: options.group,
    rootKey: options.rootKey,
  });
  const propagationHeaders = (): Record<string, string> => options.telemetry?.propagationHeaders() ?? {};
  const metrics = createNodeMetrics();
  const forwarder = createForwarder();
  const mount = { host: innerAddress, port, cookieName };
  const { opener, workerStatus } = createOpener({ ...options, keepFor, mount }, propagationHeaders, {
    onWorkerLost: (claimed) => vaults.reopen(claimed),
    onError,
  });
  const leases = createLeaseKeeper({
    placement,
    onLost: (claimed) => vaults.evict(claimed),
    onDrain() {
      if (vaults.isDraining()) return;
      vaults.stopOpening();
      vaults.awake.drainAll().catch(onError);
    },
  });
  const vaults = createServedVaults({
    opener,
    placement,
    leases,
    idleTimeoutMs,
    onOpened: (seconds) => metrics.observeOpen(seconds),
    onError,
  });
  const gateway = createGateway({
    vaults,
    forwarder,
    publicHost: options.publicUrl === undefined ? null : new URL(options.publicUrl).host,
    innerHost: () => `${innerAddress}:${port}`,
    isCutOff: () => leases.isCutOff(),
    answerOwn: createOwnAnswers(options, { vaults, leases, metrics, workerStatus }),
    traceHeaders: propagationHeaders,
    metrics,
    log,
  });

  const heartbeat = (): Promise<void> => {
    const { workers: running, replacements } = workerStatus();
    const load = { opening: vaults.opening(), workers: running.length, replacedWorkers: replacements };
    return leases.beat(load);
  };
  const followAccess = createAccessFollower({ pool, vaults, onError });
  const remove = (): Promise<void> => removeExpired({ ...options, keepFor, leases });
  await placement.join();
  await heartbeat();
  const stops = [
    startPolling(heartbeatIntervalMs, () => heartbeat().catch(onError)),
    startPolling(followIntervalMs, () => followOwnership({ placement, leases, vaults }).catch(onError)),
    startPolling(followIntervalMs, () => followAccess().catch(onError)),
    startPolling(followIntervalMs, () => vaults.awake.evictIdle().catch(onError)),
  ];
  await remove().catch(onError);
  stops.push(startPolling(cleanupIntervalMs, () => remove().catch(onError)));

  return {
    address,
    activeVaults: () => vaults.awake.names(),
    async close() {
      vaults.stopOpening();
      await placement.drain();
      await vaults.awake.drainAll();
      for (const stop of stops) stop();
      await listening.close();
      await opener.close();
      forwarder.close();
      await placement.leave();
    },
  };
}

type WorkerEvents = { onWorkerLost: (claimed: ClaimedVault) => void; onError: (error: unknown) => void };

/** Opens vaults in workers, or in this process. */
function createOpener(
  options: NodeOptions & OpenVaultSettings,
  propagationHeaders: () => Record<string, string>,
  { onWorkerLost, onError }: WorkerEvents,
): { opener: VaultOpener; workerStatus: WorkerPool['status'] } {
  const { workers, log, cacheFolder, publicUrl, group, webAssetsFolder, isSandboxRequired } = options;
  if (workers === undefined)
    return {
      opener: createLocalOpener({ ...options, onError }),
      workerStatus: () => ({ workers: [], replacements: 0 }),
    };
  const { snapshotAfter, keepFor, mount } = options;
  const pool = createWorkerPool({
    ...workers,
    settings: {
      cacheFolder,
      publicUrl,
      group,
      webAssetsFolder,
      isSandboxRequired,
      snapshotAfter,
      keepFor,
      mount,
    },
    propagationHeaders,
    onWorkerLost,
    log,
  });
  return { opener: pool, workerStatus: () => pool.status() };
}

type OwnAnswerParts = {
  vaults: Pick<ServedVaults, 'isDraining'>;
  leases: Pick<LeaseKeeper, 'count' | 'isCutOff'>;
  metrics: NodeMetrics;
  workerStatus: WorkerPool['status'];
};

/** Answers requests that do not concern a vault. */
function createOwnAnswers(
  { webAssetsFolder }: Pick<NodeOptions, 'webAssetsFolder'>,
  { vaults, leases, metrics, workerStatus }: OwnAnswerParts,
): (method: string, pathname: string, acceptEncoding: string | null) => Response {
  const assets = createSharedAssets(webAssetsFolder ?? resolveAssetsFolder());
  return (method, pathname, acceptEncoding) => {
    const isDraining = vaults.isDraining();
    if (pathname === '/metrics')
      return new Response(metrics.render({ awake: leases.count(), isDraining, ...workerStatus() }));
    if (pathname === '/healthz')
      return isDraining || leases.isCutOff()
        ? new Response(isDraining ? 'draining' : 'cut off', { status: 503 })
        : new Response('ok');
    const asset = method === 'GET' || method === 'HEAD' ? assets(pathname, acceptEncoding) : null;
    if (asset !== null) return new Response(method === 'HEAD' ? null : asset.body, asset);
    return problemResponse(404, 'vault URLs start with /v/<vault>/');
  };
}
