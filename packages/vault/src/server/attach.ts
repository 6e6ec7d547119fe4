import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOwner, stateFolderFor } from '../app/index.ts';
import { startHost } from './host.ts';
import type { Host, HostOptions } from './host.ts';
import type { McpBackend } from './mcp/index.ts';
import { OwnerGone } from './owner-gone.ts';
import { createRemoteBackend } from './remote-backend.ts';

export type Attached = { backend: McpBackend; close(): Promise<void> };

/** How long a vault may be without somebody who serves it before a call is given up. */
const patience = 10_000;

/**
 * A vault, whoever serves it: the process that does, or this one when there is none. When the one that serves it ends, the
 * next to ask takes its place, and the call that found it gone is made again; as every call has an id, it is made once.
 */
export async function attach(options: Omit<HostOptions, 'onLost'>): Promise<Attached> {
  let host: Host | null = null;
  let current: Promise<McpBackend> | null = null;
  const listeners = new Set<(paths: readonly string[]) => void>();
  let unlisten: () => void = () => undefined;

  const lose = (): void => {
    current = null;
    const lost = host;
    host = null;
    void lost?.close().catch(() => undefined);
  };
  const find = async (): Promise<McpBackend> => {
    const owner = findOwner(stateFolderFor(options), Date.now);
    if (owner !== null) return createRemoteBackend(owner, 'model');
    host = await startHost({ ...options, onLost: lose });
    if (host !== null) return host.backend;
    throw new OwnerGone('another process was faster');
  };
  const connect = (): Promise<McpBackend> =>
    (current ??= find().then((backend) => {
      unlisten();
      unlisten = backend.onChange((paths) => {
        for (const listener of listeners) listener(paths);
      });
      return backend;
    }));

  const withBackend = async <Value>(work: (backend: McpBackend) => Promise<Value>): Promise<Value> => {
    const giveUp = performance.now() + patience;
    for (;;) {
      const mine = connect();
      try {
        return await work(await mine);
      } catch (error) {
        if (current === mine && error instanceof OwnerGone) current = null;
        if (!(error instanceof OwnerGone) || performance.now() > giveUp) throw error;
        await sleep(50 + Math.random() * 200);
      }
    }
  };
  await withBackend(async () => undefined);

  return {
    backend: {
      callTool(call) {
        const once = { ...call, id: call.id ?? randomUUID() };
        return withBackend((backend) => backend.callTool(once));
      },
      accept(input, key = randomUUID()) {
        return withBackend((backend) => backend.accept(input, key));
      },
      hasAgents: () => withBackend((backend) => backend.hasAgents()),
      ask: (question, signal) => withBackend((backend) => backend.ask(question, signal)),
      findUpdate: (id, wait) => withBackend((backend) => backend.findUpdate(id, wait)),
      readFile: (path) => withBackend((backend) => backend.readFile(path)),
      listFiles: () => withBackend((backend) => backend.listFiles()),
      listRoot: () => withBackend((backend) => backend.listRoot()),
      layout: () => withBackend((backend) => backend.layout()),
      history: (listed) => withBackend((backend) => backend.history(listed)),
      undo: (id, origin) => withBackend((backend) => backend.undo(id, origin)),
      waiting: () => withBackend((backend) => backend.waiting()),
      approve: (id) => withBackend((backend) => backend.approve(id)),
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    async close() {
      unlisten();
      await host?.close();
    },
  };
}
