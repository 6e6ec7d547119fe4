import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { HostingError } from './error.ts';
import { createForwarder } from './forward-request.ts';
import type { OpenVault, OpenVaultSettings, VaultOpener } from './open-vault.ts';
import type { ClaimedVault } from './placement.ts';
import { recordWorkers } from './recorded-workers.ts';
import { watchWorker } from './watch-worker.ts';
import { superviseWorker, workerEnded } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

export type WorkerOptions = {
  count: number;
  /** Starts a process that calls `runWorker`, with an IPC channel. */
  start: (name: string) => ChildProcess;
  /** Default: one second. */
  pingIntervalMs?: number;
};

export type WorkerPool = VaultOpener & {
  status(): { workers: WorkerStatus[]; replacements: number };
};

export type WorkerStatus = { name: string; pid: number; vaults: number; memoryBytes: number };

type Parts = WorkerOptions & {
  settings: OpenVaultSettings;
  propagationHeaders: () => Record<string, string>;
  /** Called for each open vault of a worker that has ended. */
  onWorkerLost: (claimed: ClaimedVault) => void;
  log: (entry: object) => void;
};

/** A worker that ends sooner is not replaced at once, because its successor may end the same way. */
const minLifetimeMs = 5_000;
const restartDelayMs = 1_000;

/** The place of a worker and of the one that replaces it. */
type Slot = { name: string; worker: WorkerProcess | null; vaults: Map<string, Held> };

type Held = {
  claimed: ClaimedVault;
  onLost: () => void;
  isOpen: boolean;
  /** When a request was last cut off, in milliseconds. */
  brokenAt: number;
};

/**
 * Opens vaults in processes of their own. A worker that ends, or that does not respond and is killed, is replaced; the
 * claims of its vaults stay with the node.
 */
export function createWorkerPool(parts: Parts): WorkerPool {
  const { count, settings, log } = parts;
  const forwarder = createForwarder();
  const recorded = recordWorkers(settings.cacheFolder);
  const strikes = createStrikes();
  const createSlot = (name: string): Slot => ({ name, worker: null, vaults: new Map() });
  const slots = Array.from({ length: count }, (_, index) => createSlot(String(index)));
  /** For vaults whose work has ended several workers; started when it is first needed. */
  const apart = createSlot('apart');
  let replacements = 0;
  let isClosing = false;

  const startWorker = (slot: Slot): void => {
    const worker = (slot.worker = superviseWorker(parts.start(slot.name), {
      settings: { ...settings, secret: randomBytes(32).toString('base64url') },
      forwarder,
      onLost: (claimId) => slot.vaults.get(claimId)?.onLost(),
    }));
    if (worker.pid > 0) recorded.add(worker.pid);
    const onStuck = (): void => {
      log({
        level: 'error',
        message: `worker ${slot.name} (process ${worker.pid}) does not respond; killed`,
      });
      worker.kill();
    };
    watchWorker(worker, onStuck, parts.pingIntervalMs);
    void replaceWhenEnded(slot, worker);
  };
  const replaceWhenEnded = async (slot: Slot, worker: WorkerProcess): Promise<void> => {
    const startedAt = performance.now();
    await worker.ended;
    recorded.remove(worker.pid);
    const lost = [...slot.vaults.values()];
    [slot.worker, slot.vaults] = [null, new Map()];
    if (isClosing) return;
    replacements += 1;
    log({ level: 'error', message: `worker ${slot.name} (process ${worker.pid}) has ended; replaced` });
    const delay = performance.now() - startedAt < minLifetimeMs ? restartDelayMs : 0;
    setTimeout(() => isClosing || slot.worker !== null || startWorker(slot), delay);
    // Until the requests that it had not answered have failed.
    await setImmediate();
    releaseVaults(lost);
  };
  const releaseVaults = (lost: readonly Held[]): void => {
    for (const { claimed, brokenAt } of lost)
      if (performance.now() - brokenAt < minLifetimeMs) strikes.add(claimed.vault);
    for (const { claimed, isOpen } of lost) if (isOpen) parts.onWorkerLost(claimed);
  };
  const chooseSlot = (vault: string): Slot => {
    if (!strikes.isOut(vault))
      return slots.reduce((least, slot) => (load(slot) < load(least) ? slot : least));
    if (apart.worker === null) startWorker(apart);
    return apart;
  };

  for (const slot of slots) startWorker(slot);
  return {
    async open(claimed, onLost) {
      const slot = chooseSlot(claimed.vault);
      const { worker } = slot;
      if (worker === null) throw workerEnded();
      const held: Held = { claimed, onLost, isOpen: false, brokenAt: -Infinity };
      const remove = (): void => void slot.vaults.delete(claimed.claimId);
      slot.vaults.set(claimed.claimId, held);
      const vault = createWorkerVault(worker, held, remove);
      try {
        await vault.open(parts.propagationHeaders());
      } catch (error) {
        remove();
        throw error;
      }
      held.isOpen = true;
      return vault;
    },
    async close() {
      isClosing = true;
      await Promise.all([...slots, apart].flatMap(({ worker }) => worker?.stop() ?? []));
      forwarder.close();
    },
    status: () => ({
      replacements,
      workers: [...slots, apart].flatMap(({ name, worker, vaults }) =>
        worker === null
          ? []
          : [{ name, pid: worker.pid, vaults: vaults.size, memoryBytes: worker.memoryBytes() }],
      ),
    }),
  };
}

function load({ worker, vaults }: Slot): number {
  return worker === null ? Infinity : vaults.size;
}

/** A vault that is open in a worker. */
function createWorkerVault(
  worker: WorkerProcess,
  held: Held,
  remove: () => void,
): OpenVault & { open(trace: Record<string, string>): Promise<unknown> } {
  const { claimed } = held;
  const { claimId } = claimed;
  /** Notes for which vaults the worker had work of a user when it ended. */
  const watched = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostingError) || worker.hasEnded()) held.brokenAt = performance.now();
      throw error;
    }
  };
  return {
    open: (trace) => watched(worker.call({ op: 'open', claimed, trace })),
    answer: (_, connection, passedOn = {}) => watched(worker.answer(claimId, connection, passedOn)),
    applyAccess: async (sealed) => void (await worker.call({ op: 'applyAccess', claimId, sealed })),
    snapshot: async () => void (await worker.call({ op: 'snapshot', claimId })),
    isBusy: async () => (await worker.call({ op: 'isBusy', claimId })) === true,
    async close() {
      try {
        await worker.call({ op: 'close', claimId });
      } catch (error) {
        // A vault of a worker that has ended is closed.
        if (!worker.hasEnded()) throw error;
      } finally {
        remove();
      }
    },
  };
}

const [maxStrikes, strikeMs] = [2, 600_000];

/** Counts how often a worker has ended while it worked for a vault. Such a vault gets a worker apart from the others. */
function createStrikes(): { add(vault: string): void; isOut(vault: string): boolean } {
  const times = new Map<string, number[]>();
  const recent = (vault: string): number[] =>
    (times.get(vault) ?? []).filter((at) => performance.now() - at < strikeMs);
  return {
    add: (vault) => void times.set(vault, [...recent(vault), performance.now()]),
    isOut: (vault) => recent(vault).length >= maxStrikes,
  };
}
