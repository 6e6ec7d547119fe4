import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { spoolFolder } from '../hook/index.ts';
import type { Part } from '../hook/index.ts';
import { systemCode } from '../vault/index.ts';

/** Parts of one session that go on together: in a folder of their own, which is named by the id of what becomes of them. */
export type Segment = { id: string; parts: Part[] };

const batch = 'segment-';

/** What waits of a vault, by session, the oldest part first. */
export function waitingParts(stateHome: string, root: string): Map<string, Part[]> {
  const sessions = new Map<string, Part[]>();
  for (const part of partsIn(spoolFolder(stateHome)).filter(({ vault }) => isSame(vault, root))) {
    const session = `${part.client} ${part.session}`;
    sessions.set(session, [...(sessions.get(session) ?? []), part]);
  }
  return sessions;
}

/**
 * Sets parts aside. From then on they are one segment, also after a crash in the middle of it: whatever lies in the folder is
 * what its id stands for, and what comes later is another one.
 */
export function setAside(stateHome: string, parts: readonly Part[]): void {
  const folder = join(spoolFolder(stateHome), `${batch}${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const { key } of parts)
    try {
      renameSync(join(spoolFolder(stateHome), `${key}.json`), join(folder, `${key}.json`));
    } catch (error) {
      // Another process was faster, and has it in a segment of its own.
      if (systemCode(error) !== 'ENOENT') throw error;
    }
}

export function segmentsOf(stateHome: string, root: string): Segment[] {
  return (
    namesIn(spoolFolder(stateHome))
      .filter((name) => name.startsWith(batch))
      .map((name) => ({
        id: name.slice(batch.length),
        parts: partsIn(join(spoolFolder(stateHome), name)),
      }))
      // An empty one may be that of another process, which is just about to fill it.
      .filter(({ parts: [first] }) => first !== undefined && isSame(first.vault, root))
  );
}

/** Makes one segment of two. */
export function joinSegments(stateHome: string, into: Segment, other: Segment): Segment {
  const folderOf = ({ id }: Segment): string => join(spoolFolder(stateHome), `${batch}${id}`);
  for (const { key } of other.parts)
    renameSync(join(folderOf(other), `${key}.json`), join(folderOf(into), `${key}.json`));
  removeSegment(stateHome, other);
  return { id: into.id, parts: [...into.parts, ...other.parts] };
}

/** At once: what is left of one that was removed in part would be taken for another that has the same id. */
export function removeSegment(stateHome: string, { id }: Segment): void {
  const gone = join(spoolFolder(stateHome), `.removed-${id}`);
  try {
    renameSync(join(spoolFolder(stateHome), `${batch}${id}`), gone);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  rmSync(gone, { recursive: true, force: true });
}

/** The right to bring in what waits, for one process that nobody waits for; null while another has it. */
export function takeDrain(stateHome: string): (() => void) | null {
  const file = join(spoolFolder(stateHome), 'draining');
  const take = (): (() => void) => {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return () => rmSync(file, { force: true });
  };
  try {
    return take();
  } catch {
    if (isRunning(Number(readText(file)))) return null;
    rmSync(file, { force: true });
  }
  try {
    return take();
  } catch {
    return null;
  }
}

export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** One that cannot be read is no part: it was never finished. */
function partsIn(folder: string): Part[] {
  return namesIn(folder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .flatMap((name) => {
      try {
        const part = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Part;
        return part.key === basename(name, '.json') ? [part] : [];
      } catch {
        return [];
      }
    })
    .toSorted((a, b) => a.at - b.at || orderOf(a) - orderOf(b));
}

/** Within one moment. */
function orderOf({ event }: Part): number {
  return ['prompt', 'turn', 'post-compact', 'session-end'].indexOf(event);
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isSame(vault: string, root: string): boolean {
  try {
    return realpathSync(vault) === root;
  } catch {
    return false;
  }
}
