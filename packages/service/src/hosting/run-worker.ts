import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import { listen, rejectUpgrade } from '../../../vault/src/server/index.ts';
import type { NodeBindings } from '../../../vault/src/server/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { HostingError, reportError } from './error.ts';
import type { ObjectStore } from './object-store.ts';
import { createLocalOpener } from './open-vault.ts';
import type { OpenVault, VaultOpener } from './open-vault.ts';
import { problemResponse } from './problem-response.ts';
import { workerHeaders } from './worker-messages.ts';
import type { FromWorker, ToWorker, WorkerCall, WorkerSettings } from './worker-messages.ts';

/** The channel to the node that started this process. */
export type WorkerChannel = {
  send(message: FromWorker): void;
  onMessage(listener: (message: ToWorker) => void): void;
};

/** Opens the channel of a process that `child_process.fork` has started; null for any other process. */
export function openWorkerChannel(): WorkerChannel | null {
  if (process.send === undefined) return null;
  // The node decides when its workers end, also if a terminal or a service manager sends a signal to all processes.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  // The node has ended, so another one may own the vaults.
  process.once('disconnect', () => process.exit(1));
  return {
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  };
}

type Parts = {
  pool: Pool;
  store: ObjectStore;
  environment: Environment;
  log: (entry: object) => void;
  channel: WorkerChannel;
};

/** High, because only the node connects, and it has a limit. */
const maxConnections = 100_000;

/**
 * Opens vaults for the node that started this process, and answers the requests that the node passes on, until the node
 * stops it.
 */
export async function runWorker(parts: Parts): Promise<void> {
  const { channel } = parts;
  const stopped = Promise.withResolvers<void>();
  let worker: Promise<Worker> | null = null;
  channel.onMessage((message) => {
    switch (message.kind) {
      case 'start':
        worker = startWorker(parts, message.settings);
        worker.then(({ port }) => channel.send({ kind: 'started', port }), stopped.reject);
        return;
      case 'ping':
        return channel.send({ kind: 'pong', memoryBytes: process.memoryUsage.rss() });
      case 'call':
        return void answerCall(message.id, message.call);
      case 'stop':
        return void worker?.then((started) => started.stop()).then(stopped.resolve, stopped.reject);
    }
  });
  const answerCall = async (id: number, call: WorkerCall): Promise<void> => {
    try {
      channel.send({ kind: 'done', id, value: await (await worker)?.call(call) });
    } catch (error) {
      channel.send({ kind: 'failed', id, error: reportError(error) });
    }
  };
  await stopped.promise;
}

type Worker = { port: number; call(call: WorkerCall): Promise<unknown>; stop(): Promise<void> };

async function startWorker(parts: Parts, settings: WorkerSettings): Promise<Worker> {
  const { log, channel } = parts;
  const onError = (error: unknown): void => log({ level: 'error', message: describeError(error) });
  const opener = createLocalOpener({ ...parts, ...settings, onError });
  const vaults: OpenVaults = new Map();
  const isFromNode = createSecretCheck(settings.secret);
  const listening = await listen({
    host: '127.0.0.1',
    port: 0,
    log,
    maxConnections,
    // The node closes connections that it does not use. After a long pause of this process, a timer would otherwise
    // close them although a request has arrived.
    keepAliveTimeoutMs: 0,
    async handle(request, connection) {
      const { [workerHeaders.secret]: secret, [workerHeaders.claim]: claimId } = connection.incoming.headers;
      if (!isFromNode(secret)) return problemResponse(404, 'only the node of this worker may ask it');
      const open = vaults.get(String(claimId));
      if (open === undefined) return problemResponse(503, 'the vault is being closed');
      try {
        return await open.vault.answer(request, connection);
      } catch (error) {
        log({ level: 'error', vault: open.id, message: describeError(error) });
        return problemResponse(503, 'the vault is temporarily unavailable');
      }
    },
    onUpgrade: (_, socket) => rejectUpgrade(socket),
  });
  return {
    port: listening.port,
    call: (call) => runCall(call, { opener, vaults, channel }),
    async stop() {
      await listening.close();
      await opener.close();
    },
  };
}

/** By claim. */
type OpenVaults = Map<string, { id: string; vault: OpenVault }>;

type Calling = { opener: VaultOpener; vaults: OpenVaults; channel: WorkerChannel };

async function runCall(call: WorkerCall, { opener, vaults, channel }: Calling): Promise<unknown> {
  if (call.op === 'open') {
    const { claimed, trace } = call;
    const { vault, claimId } = claimed;
    const onLost = (): void => channel.send({ kind: 'lost', claimId });
    const opened = await withSpan({ name: 'open', vault, parent: trace }, () => opener.open(claimed, onLost));
    vaults.set(claimId, { id: vault, vault: opened });
    return undefined;
  }
  const vault = vaults.get(call.claimId)?.vault;
  if (vault === undefined) throw new HostingError('unavailable', 'the vault is not open in this worker');
  switch (call.op) {
    case 'applyAccess':
      return vault.applyAccess(call.sealed === null ? null : Buffer.from(call.sealed));
    case 'snapshot':
      return vault.snapshot();
    case 'isBusy':
      return vault.isBusy();
    case 'close':
      vaults.delete(call.claimId);
      return vault.close();
  }
}

function createSecretCheck(secret: string): (given: NodeBindings['incoming']['headers'][string]) => boolean {
  const expected = Buffer.from(secret);
  return (given) => {
    const bytes = Buffer.from(String(given));
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  };
}
