import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { startVaultHost } from '../../../vault/src/server/index.ts';
import type { NodeBindings } from '../../../vault/src/server/index.ts';
import { createAppliedAccess } from './applied-access.ts';
import type { AppliedAccess } from './applied-access.ts';
import { HostingError } from './error.ts';
import { openHostedVault } from './hosted-vault.ts';
import type { SnapshotThresholds } from './hosted-vault.ts';
import type { ObjectStore } from './object-store.ts';
import type { ClaimedVault } from './placement.ts';
import { startPolling } from './polling.ts';
import { withDefaultLimits } from './service-limits.ts';
import { openAccess, readAccess } from './vault-access.ts';

/** A vault that is open on this node, in this process or in a worker. */
export type OpenVault = {
  /** `passedOn`: headers for a worker that answers. */
  answer(request: Request, connection: NodeBindings, passedOn?: Record<string, string>): Promise<Response>;
  /** Applies the access settings of the service. Throws `damaged`, and applies nothing, when they are forged. */
  applyAccess(sealed: Buffer | null): Promise<void>;
  /** Takes a snapshot if anything was committed since the last one. */
  snapshot(): Promise<void>;
  /** Whether updates or answers are running in the background. */
  isBusy(): Promise<boolean>;
  close(): Promise<void>;
};

export type VaultOpener = {
  /** Opens a claimed vault. `onLost` is called when it can commit nothing more; the caller then has to close it. */
  open(claimed: ClaimedVault, onLost: () => void): Promise<OpenVault>;
  /** Called when all vaults are closed. */
  close(): Promise<void>;
};

/** Settings of a node that a worker gets, too. */
export type OpenVaultSettings = {
  /** Holds local copies of vaults. */
  cacheFolder: string;
  publicUrl?: string | undefined;
  group?: string | undefined;
  webAssetsFolder?: string | undefined;
  isSandboxRequired?: boolean | undefined;
  snapshotAfter?: SnapshotThresholds | undefined;
  keepFor: number;
  /** The internal host and port for requests to the vaults of this node. */
  mount: { host: string; port: number; cookieName: string };
};

type Options = OpenVaultSettings & {
  pool: Pool;
  store: ObjectStore;
  environment: Environment;
  log: (entry: object) => void;
  onError: (error: unknown) => void;
};

/**
 * More than one, because opening a vault involves waiting for the object store; limited, so that some vaults are ready
 * early instead of all of them late.
 */
const maxOpening = 8;
const snapshotCheckIntervalMs = 5_000;

type LocalVault = OpenVault & { takeDueSnapshot(): Promise<void> };

/** Opens vaults in this process. */
export function createLocalOpener(options: Options): VaultOpener {
  const { onError } = options;
  // A vault outlives the request that opened it, so it must not inherit the context of that request.
  const detached = AsyncLocalStorage.snapshot();
  const limitOpens = createLimiter(maxOpening);
  const vaults = new Set<LocalVault>();
  const stop = startPolling(snapshotCheckIntervalMs, async () => {
    for (const vault of vaults) await vault.takeDueSnapshot().catch(onError);
  });
  return {
    async open(claimed, onLost) {
      const opened = await limitOpens(() => openVault(claimed, { ...options, detached, onLost }));
      const vault: LocalVault = {
        ...opened,
        close() {
          vaults.delete(vault);
          return opened.close();
        },
      };
      vaults.add(vault);
      return vault;
    },
    close: async () => stop(),
  };
}

type Opening = Options & { detached: <Value>(work: () => Value) => Value; onLost: () => void };

async function openVault(claimed: ClaimedVault, options: Opening): Promise<LocalVault> {
  const { pool, log, onLost, publicUrl, webAssetsFolder } = options;
  const environment = { ...options.environment, servesOthers: true };
  const { vault } = claimed;
  const granted = await readAccess(pool, claimed);
  if (granted.group !== (options.group ?? ''))
    throw new HostingError('damaged', `vault ${vault} belongs to another group than its row says`);
  let access: AppliedAccess | null = null;
  const hosted = await openHostedVault({
    pool,
    store: options.store,
    claimed,
    folder: join(options.cacheFolder, vault),
    environment,
    limits: () => access?.limits() ?? withDefaultLimits(granted.limits),
    sandbox: {
      isRequired: options.isSandboxRequired === true,
      onUnavailable: (reason) =>
        log({ level: 'warn', vault, message: `document sandbox unavailable: ${reason}` }),
    },
    onLost,
    retentionDays: options.keepFor,
    ...(options.snapshotAfter && { snapshotAfter: options.snapshotAfter }),
  });
  const { keepsake } = hosted;
  try {
    const applied = (access = createAppliedAccess(vault, hosted));
    await applied.apply(granted);
    const host = await options.detached(() =>
      startVaultHost({
        keepsake,
        environment,
        mount: { name: vault, ...options.mount },
        publicUrl,
        web: webAssetsFolder,
        isManaged: true,
        flushReplication: hosted.flushReplication,
        log: (entry) => log({ vault, ...entry }),
        onLeaseLost: onLost,
      }),
    );
    if (host === null)
      throw new HostingError('unavailable', `${vault} is already served by another process on this machine`);
    const { handler } = host;
    if (handler === null) throw new HostingError('unavailable', `${vault} has no request handler`);
    return {
      async answer(request, connection) {
        // With the invitations that were created since the last poll.
        if (new URL(request.url).pathname === '/open') await applied.apply(await readAccess(pool, claimed));
        return handler.handle(request, connection);
      },
      applyAccess: async (sealed) => applied.apply(openAccess(claimed.key, vault, sealed)),
      snapshot: () => hosted.snapshot(),
      async takeDueSnapshot() {
        if (hosted.isSnapshotDue()) await hosted.snapshot();
      },
      isBusy: async () => host.isBusy(),
      close: () => host.close(),
    };
  } catch (error) {
    // Close the vault, because the next attempt opens it in the same folder.
    await hosted.close().catch(options.onError);
    throw error;
  }
}
