import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { findVaultKnownAt, readIdAt } from '../app/index.ts';
import { spoolFolder } from '../hook/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { errorCode } from '../vault/index.ts';

/** Session events that are imported together. They have their own folder, named by the id of the resulting note or update. */
export type Segment = { id: string; parts: SessionEvent[] };

const segmentPrefix = 'segment-';

export function ensureSpoolFolder(stateHome: string): void {
  mkdirSync(spoolFolder(stateHome), { recursive: true, mode: 0o700 });
}

/** The waiting events of a vault by session, oldest first. */
export function listOpenSessions(stateHome: string, root: string): Map<string, SessionEvent[]> {
  const sessions = new Map<string, SessionEvent[]>();
  const isOwn = createVaultMatcher(stateHome, root);
  for (const part of readEvents(spoolFolder(stateHome)).filter(({ vault }) => isOwn(vault))) {
    const session = `${part.client} ${part.session}`;
    sessions.set(session, [...(sessions.get(session) ?? []), part]);
  }
  return sessions;
}

/**
 * Moves events into a new segment folder. From then on the folder defines the segment, even after a crash in the middle
 * of moving; later events go into another segment.
 */
export function createSegment(stateHome: string, parts: readonly SessionEvent[]): void {
  const folder = join(spoolFolder(stateHome), `${segmentPrefix}${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const { key } of parts)
    try {
      renameSync(join(spoolFolder(stateHome), `${key}.json`), join(folder, `${key}.json`));
    } catch (error) {
      // Another process was faster and has moved the event into its own segment.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
}

export function listSegments(stateHome: string, root: string): Segment[] {
  const isOwn = createVaultMatcher(stateHome, root);
  return (
    listNames(spoolFolder(stateHome))
      .filter((name) => name.startsWith(segmentPrefix))
      .map((name) => ({
        id: name.slice(segmentPrefix.length),
        parts: readEvents(join(spoolFolder(stateHome), name)),
      }))
      // An empty folder may belong to another process that is about to fill it.
      .filter(({ parts: [first] }) => first !== undefined && isOwn(first.vault))
  );
}

/** Moves the events of `other` into `into` and removes `other`. */
export function mergeSegments(stateHome: string, into: Segment, other: Segment): Segment {
  const folderOf = ({ id }: Segment): string => join(spoolFolder(stateHome), `${segmentPrefix}${id}`);
  for (const { key } of other.parts)
    renameSync(join(folderOf(other), `${key}.json`), join(folderOf(into), `${key}.json`));
  removeSegment(stateHome, other);
  return { id: into.id, parts: [...into.parts, ...other.parts] };
}

/** Removes a segment atomically: the rest of a partly removed segment would count as another segment with the same id. */
export function removeSegment(stateHome: string, { id }: Segment): void {
  const gone = join(spoolFolder(stateHome), `.removed-${id}`);
  try {
    renameSync(join(spoolFolder(stateHome), `${segmentPrefix}${id}`), gone);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  rmSync(gone, { recursive: true, force: true });
}

/** Takes the lock for draining the spool and returns a function that releases it; null while another process holds it. */
export function acquireDrainLock(stateHome: string): (() => void) | null {
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
    return errorCode(error) === 'EPERM';
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Ignores unreadable files, which were never completed. */
function readEvents(folder: string): SessionEvent[] {
  return listNames(folder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .flatMap((name) => {
      try {
        const part = JSON.parse(readFileSync(join(folder, name), 'utf8')) as SessionEvent;
        return part.key === basename(name, '.json') ? [part] : [];
      } catch {
        return [];
      }
    })
    .toSorted((a, b) => a.at - b.at || getEventRank(a) - getEventRank(b));
}

/** The order of events with the same time. */
function getEventRank({ event }: SessionEvent): number {
  return ['prompt', 'turn', 'post-compact', 'session-end'].indexOf(event);
}

export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a recorded path is that of the vault, also if it was moved since. */
function createVaultMatcher(stateHome: string, root: string): (vault: string) => boolean {
  const known = new Map<string, boolean>();
  const isOwn = (vault: string): boolean =>
    (existsSync(vault) && realpathSync(vault) === root) ||
    (readIdAt(vault) === null && findVaultKnownAt(vault, stateHome)?.id === readIdAt(root));
  return (vault) => {
    const found = known.get(vault) ?? isOwn(vault);
    known.set(vault, found);
    return found;
  };
}
