import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessDead, isSameHost, processMarker } from '../../../vault/src/changes/index.ts';

/** The workers of a node, recorded on its disk, so that none of them outlives the node without being found. */
export type RecordedWorkers = { add(pid: number): void; remove(pid: number): void };

/** No vault has this name. */
const folderName = '.workers';

export function recordWorkers(cacheFolder: string): RecordedWorkers {
  const folder = join(cacheFolder, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    add: (pid) => writeFileSync(join(folder, String(pid)), processMarker(pid)),
    remove: (pid) => rmSync(join(folder, String(pid)), { force: true }),
  };
}

/**
 * Ends workers that an earlier process of this node has left, and waits until they are gone. A worker ends by itself with
 * its node, but not while it is stopped or computes.
 */
export async function killLeftWorkers(cacheFolder: string): Promise<void> {
  const folder = join(cacheFolder, folderName);
  // Pid 0 would mean the processes of this group.
  for (const name of readNames(folder).filter((each) => Number(each) > 0)) {
    const worker = { pid: Number(name), host: readFileSync(join(folder, name), 'utf8') };
    // A worker of another boot or container has ended with it.
    while (isSameHost(worker) && !isProcessDead(worker)) {
      process.kill(worker.pid, 'SIGKILL');
      await sleep(10);
    }
    rmSync(join(folder, name));
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
