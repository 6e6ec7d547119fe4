import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { inTurn } from '../../../vault/src/contract/index.ts';
import type { VaultLimits } from '../../../vault/src/contract/index.ts';
import { createAwake, openTokens, startHost } from '../../../vault/src/server/index.ts';
import type { Awake, Host } from '../../../vault/src/server/index.ts';
import { traced } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import { openHosted } from './hosted-vault.ts';
import type { HostedVault, SnapshotAfter } from './hosted-vault.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ObjectStore } from './object-store.ts';
import type { Claimed, Placement } from './placement.ts';
import { invitationTaker } from './service-invitations.ts';
import { readServiceLimits } from './service-limits.ts';
import { readServiceTokens } from './service-tokens.ts';

type ServedVault = {
  claimed: Claimed;
  hosted: HostedVault;
  host: Host;
  takeInvited: () => Promise<void>;
  setLimits: (limits: VaultLimits) => void;
};

export type ServedVaults = {
  /** The vaults that are open on this node. */
  awake: Awake<ServedVault, { address: string }>;
  /** How many vaults are being opened, or wait for that. */
  opening(): number;
  /** Another node has it, or only the log knows what it is. By now it may be open again, by a later claim. */
  drop(claimed: Claimed): void;
  /** Opens no vault from now on: requests for one are passed to another node. */
  stopOpening(): void;
  isDraining(): boolean;
  /** Prefers this node for a vault that another node has sent a request for. */
  prefer(vault: string): void;
  /** Takes the preference back. */
  unprefer(vault: string): void;
};

type OpenVaultOptions = {
  pool: Pool;
  store: ObjectStore;
  environment: Environment;
  log: (entry: object) => void;
  /** For copies of vaults. */
  folder: string;
  publicUrl?: string | undefined;
  web?: string | undefined;
  isSandboxRequired?: boolean | undefined;
  snapshotAfter?: SnapshotAfter;
  keepFor: number;
  /** Under which name and port the vaults are asked by this node. */
  mount: { host: string; port: number; cookieName: string };
};

type Parts = {
  options: OpenVaultOptions;
  placement: Pick<Placement, 'another' | 'claim' | 'release'>;
  leases: LeaseKeeper;
  idleAfter: number;
  onOpened: (seconds: number) => void;
  onError: (error: unknown) => void;
};

/** All at once would take as long, and the first would wait for the last; more than one, because each waits for the object store. */
const maxOpening = 8;

export function createServedVaults(parts: Parts): ServedVaults {
  const { options, placement, leases, idleAfter, onOpened, onError } = parts;
  const preferred = new Set<string>();
  let isDraining = false;
  let opening = 0;
  // A vault that stays open is not part of the request that opened it.
  const detached = AsyncLocalStorage.snapshot();
  const drop = (claimed: Claimed): void => {
    if (leases.isHeld(claimed)) awake.leave(claimed.vault, close);
  };
  const close = async ({ claimed, host }: ServedVault): Promise<void> => {
    await host.close();
    leases.remove(claimed);
  };
  const giveUp = async (served: ServedVault): Promise<void> => {
    await close(served);
    await placement.release(served.claimed);
  };
  const openInTurn = inTurn(maxOpening);
  const awake: ServedVaults['awake'] = createAwake({
    async open(vault) {
      const owner = isDraining
        ? await placement.another(vault)
        : await placement.claim(vault, preferred.delete(vault));
      if (!('epoch' in owner)) return { elsewhere: owner };
      leases.add(owner);
      opening += 1;
      try {
        const start = performance.now();
        const here = await traced({ work: 'open', vault }, () =>
          openInTurn(() => openVault(owner, { ...options, detached, onLost: () => drop(owner), onError })),
        );
        onOpened((performance.now() - start) / 1_000);
        return { here };
      } catch (error) {
        leases.remove(owner);
        throw error;
      } finally {
        opening -= 1;
      }
    },
    async putToSleep(served) {
      await served.hosted.snapshot();
      await giveUp(served);
    },
    close: giveUp,
    isBusy: ({ host }) => host.isBusy(),
    idleAfter,
    onError,
  });
  return {
    awake,
    opening: () => opening,
    drop,
    stopOpening: () => void (isDraining = true),
    isDraining: () => isDraining,
    prefer: (vault) => void preferred.add(vault),
    unprefer: (vault) => void preferred.delete(vault),
  };
}

type Opening = OpenVaultOptions & {
  detached: <Value>(work: () => Value) => Value;
  onLost: () => void;
  onError: (error: unknown) => void;
};

async function openVault(claimed: Claimed, options: Opening): Promise<ServedVault> {
  const { pool, environment, log, onLost, publicUrl, web } = options;
  const { vault } = claimed;
  const tokens = (await readServiceTokens(pool, [vault])).get(vault) ?? [];
  let limits: VaultLimits = (await readServiceLimits(pool, [vault])).get(vault) ?? {};
  const hosted = await openHosted({
    pool,
    store: options.store,
    claimed,
    folder: join(options.folder, vault),
    environment,
    limits: () => limits,
    sandbox: {
      isRequired: options.isSandboxRequired === true,
      onUnusable: (reason) =>
        log({ level: 'warn', vault, message: `there is no sandbox for documents: ${reason}` }),
    },
    onLost,
    keepFor: options.keepFor,
    ...(options.snapshotAfter && { snapshotAfter: options.snapshotAfter }),
  });
  const { keepsake } = hosted;
  try {
    openTokens(keepsake)().replaceGiven(tokens);
    const takeInvited = invitationTaker(pool, claimed, hosted);
    await takeInvited();
    const host = await options.detached(() =>
      startHost({
        keepsake,
        environment,
        mount: { name: vault, ...options.mount },
        publicUrl,
        web,
        isForOthers: true,
        settle: hosted.settle,
        log: (entry) => log({ vault, ...entry }),
        onLost,
      }),
    );
    if (host === null) throw new HostingError('unavailable', `${vault} is served by another process here`);
    return { claimed, hosted, host, takeInvited, setLimits: (now) => void (limits = now) };
  } catch (error) {
    // The next attempt opens it in the same place.
    await hosted.close().catch(options.onError);
    throw error;
  }
}
