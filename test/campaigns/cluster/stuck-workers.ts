import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { childrenOf } from '../program.ts';
import type { Written } from './writers.ts';

type Node = { name: string; pid: number };

/** A worker that was stopped, and what its node and the other vaults did until it was replaced. */
export type StuckWorker = {
  /** The vaults that the worker had open. */
  vaults: Set<string>;
  /** Resolves once the worker has ended. Returns the vaults that the node has lost meanwhile. */
  replaced: Promise<string[]>;
};

/** Stops a worker of a node, as a process that hangs; null if the node has none. */
export function stopWorker(pool: pg.Pool, node: Node, random: () => number): StuckWorker | null {
  const workers = childrenOf(node.pid).filter((pid) => readCommand(pid).includes('worker'));
  const worker = workers[Math.floor(random() * workers.length)];
  if (worker === undefined) return null;
  const vaults = openVaults(worker);
  process.kill(worker, 'SIGSTOP');
  return { vaults, replaced: watchLeases(pool, node.name, worker) };
}

async function watchLeases(pool: pg.Pool, node: string, worker: number): Promise<string[]> {
  const owned = async (): Promise<string[]> =>
    (await pool.query<{ id: string }>('select id from vaults where owner = $1', [node])).rows.map(
      ({ id }) => id,
    );
  const before = await owned();
  const lost = new Set<string>();
  for (const began = performance.now(); isRunning(worker); await sleep(250)) {
    if (performance.now() - began > 300_000) throw new Error('a stopped worker was not replaced');
    const now = new Set(await owned());
    for (const id of before) if (!now.has(id)) lost.add(id);
  }
  return [...lost];
}

/** Whether any of these vaults is heavy or was open in the worker, so that its time says nothing about the others. */
export function isAffected({ vault, isHeavy }: Written, stuck: StuckWorker): boolean {
  return isHeavy || stuck.vaults.has(vault);
}

function readCommand(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}

/** The vaults of which a process has files open. */
function openVaults(pid: number): Set<string> {
  const files = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // It was closed meanwhile.
      return '';
    }
  });
  return new Set(files.flatMap((file) => /\/([\w-]{36})\/state\//.exec(file)?.[1] ?? []));
}

/** A killed process is a zombie until its parent has noticed its end. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
