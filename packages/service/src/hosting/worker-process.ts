import type { ChildProcess } from 'node:child_process';
import type { NodeBindings } from '../../../vault/src/server/index.ts';
import { fromReportedError, HostingError } from './error.ts';
import type { Forwarder } from './forward-request.ts';
import { workerHeaders } from './worker-messages.ts';
import type { FromWorker, ToWorker, WorkerCall, WorkerSettings } from './worker-messages.ts';

/** A worker of this node, seen from the node. */
export type WorkerProcess = {
  readonly pid: number;
  /** Resident memory as of its last answer. */
  memoryBytes(): number;
  /** The number of pings without an answer. */
  unansweredPings(): number;
  ping(): void;
  /** Waits until the worker has started. Rejects when it has ended. */
  call(call: WorkerCall): Promise<unknown>;
  answer(claimId: string, connection: NodeBindings, headers: Record<string, string>): Promise<Response>;
  /** Ends it at once. What it was doing ends with it, also when it does not respond. */
  kill(): void;
  /** Lets it end by itself once its vaults are closed. */
  stop(): Promise<void>;
  /** Resolves once the system reports that the process is gone: only then may another one open its vaults. */
  ended: Promise<void>;
  hasEnded(): boolean;
};

type Parts = {
  settings: WorkerSettings;
  forwarder: Forwarder;
  onLost: (claimId: string) => void;
};

export function superviseWorker(child: ChildProcess, { settings, forwarder, onLost }: Parts): WorkerProcess {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const started = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<void>();
  started.promise.catch(() => undefined);
  let [lastId, unanswered, memoryBytes] = [0, 0, 0];
  let isOver = false;
  const send = (message: ToWorker): void => {
    // The error is reported by `exit`.
    if (child.connected) child.send(message, () => undefined);
  };
  child.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'started':
        return started.resolve(message.port);
      case 'pong':
        [unanswered, memoryBytes] = [0, message.memoryBytes];
        return;
      case 'lost':
        return onLost(message.claimId);
      case 'done':
        pending.get(message.id)?.resolve(message.value);
        return void pending.delete(message.id);
      case 'failed':
        pending.get(message.id)?.reject(fromReportedError(message.error));
        return void pending.delete(message.id);
    }
  });
  const finish = (): void => {
    isOver = true;
    const error = workerEnded();
    started.reject(error);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    ended.resolve();
  };
  child.once('exit', finish);
  // It could not be started.
  child.once('error', () => child.pid === undefined && finish());
  send({ kind: 'start', settings });
  return {
    pid: child.pid ?? 0,
    memoryBytes: () => memoryBytes,
    unansweredPings: () => unanswered,
    ping() {
      unanswered += 1;
      send({ kind: 'ping' });
    },
    async call(call) {
      await started.promise;
      if (isOver) throw workerEnded();
      const id = (lastId += 1);
      const result = Promise.withResolvers<unknown>();
      pending.set(id, result);
      send({ kind: 'call', id, call });
      return result.promise;
    },
    async answer(claimId, connection, headers) {
      const port = await started.promise;
      const { host = '' } = connection.incoming.headers;
      return forwarder.forward(connection, new URL(`http://127.0.0.1:${port}${connection.incoming.url}`), {
        ...headers,
        host,
        [workerHeaders.secret]: settings.secret,
        [workerHeaders.claim]: claimId,
      });
    },
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      send({ kind: 'stop' });
      await ended.promise;
    },
    ended: ended.promise,
    hasEnded: () => isOver,
  };
}

export function workerEnded(): HostingError {
  return new HostingError('unavailable', 'the worker of this vault has ended', { hint: 'retry shortly' });
}
