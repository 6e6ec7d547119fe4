import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folderId = 'vault';
const key = 'only-for-this-test';

/** Two Syncthing processes on this machine that are connected only to each other. */
export type SyncthingPair = {
  disconnect(): Promise<void>;
  connect(): Promise<void>;
  /** Whether neither has anything to scan, send or receive. */
  isIdle(): Promise<boolean>;
  stop(): Promise<void>;
};

type Machine = { home: string; folder: string; gui: number; port: number; id: string; process: ChildProcess };

/** Starts two Syncthing processes that keep two folders in sync. `place` is the folder for their configuration. */
export async function startSyncthingPair(
  place: string,
  folders: readonly [string, string],
): Promise<SyncthingPair> {
  const machines: Machine[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(machines.map(({ process }) => ended(process)));
  };
  try {
    for (const [index, folder] of folders.entries()) {
      const home = join(place, `syncthing-${index}`);
      mkdirSync(join(folder, '.stfolder'), { recursive: true });
      execFileSync('syncthing', ['generate', `--home=${home}`, '--no-default-folder'], { stdio: 'ignore' });
      const id = execFileSync('syncthing', ['--device-id', `--home=${home}`], { encoding: 'utf8' }).trim();
      const [gui, port] = [await freePort(), await freePort()];
      const address = [`--gui-address=http://127.0.0.1:${gui}`, `--gui-apikey=${key}`];
      const args = ['serve', `--home=${home}`, '--no-browser', '--no-restart', '--no-upgrade', ...address];
      const process = spawn('syncthing', args, { stdio: 'ignore' });
      machines.push({ home, folder, gui, port, id, process });
    }
    for (const machine of machines) await configure(machine, machines);
  } catch (error) {
    await stop();
    throw error;
  }
  const [first, second] = machines as [Machine, Machine];
  const each = (work: (machine: Machine, other: Machine) => Promise<unknown>): Promise<unknown[]> =>
    Promise.all([work(first, second), work(second, first)]);
  const isConnected = async (machine: Machine, other: Machine): Promise<boolean> => {
    const { connections } = (await call(machine, 'system/connections')) as {
      connections: Record<string, { connected: boolean }>;
    };
    return connections[other.id]?.connected === true;
  };
  return {
    async disconnect() {
      await each((machine, other) => call(machine, `system/pause?device=${other.id}`, 'POST'));
      while ((await each(isConnected)).includes(true)) await sleep(100);
    },
    async connect() {
      await each((machine) => call(machine, `db/scan?folder=${folderId}`, 'POST'));
      await each((machine, other) => call(machine, `system/resume?device=${other.id}`, 'POST'));
      while ((await each(isConnected)).includes(false)) await sleep(100);
    },
    async isIdle() {
      const states = await each(async (machine, other) => {
        const here = (await call(machine, `db/status?folder=${folderId}`)) as {
          state: string;
          needTotalItems: number;
        };
        const there = (await call(machine, `db/completion?folder=${folderId}&device=${other.id}`)) as {
          needItems: number;
          needDeletes: number;
        };
        return (
          here.state === 'idle' && here.needTotalItems === 0 && there.needItems + there.needDeletes === 0
        );
      });
      return !states.includes(false);
    },
    stop,
  };
}

async function configure(machine: Machine, all: readonly Machine[]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const isUp = await call(machine, 'system/ping').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (turn > 600) throw new Error('Syncthing does not start');
    await sleep(100);
  }
  const config = (await call(machine, 'config')) as { options: object };
  await call(machine, 'config', 'PUT', {
    ...config,
    options: {
      ...config.options,
      listenAddresses: [`tcp://127.0.0.1:${machine.port}`],
      globalAnnounceEnabled: false,
      localAnnounceEnabled: false,
      relaysEnabled: false,
      natEnabled: false,
      urAccepted: -1,
      crashReportingEnabled: false,
      autoUpgradeIntervalH: 0,
      reconnectionIntervalS: 1,
      startBrowser: false,
    },
    devices: all.map(({ id, port }) => ({ deviceID: id, addresses: [`tcp://127.0.0.1:${port}`] })),
    folders: [
      {
        id: folderId,
        path: machine.folder,
        devices: all.map(({ id }) => ({ deviceID: id })),
        fsWatcherEnabled: true,
        fsWatcherDelayS: 1,
        rescanIntervalS: 10,
      },
    ],
  });
}

async function call({ gui }: Machine, path: string, method = 'GET', body?: unknown): Promise<unknown> {
  const ask = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${gui}/rest/${path}`, {
      method,
      headers: { 'X-API-Key': key },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  // A kept-alive connection may be closed at this moment; the request is idempotent, so it is retried.
  const response = await ask().catch(ask);
  const text = await response.text();
  if (!response.ok) throw new Error(`Syncthing ${method} ${path}: ${response.status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = new Promise((resolve) => process.once('exit', resolve));
  process.kill();
  await exit;
}
