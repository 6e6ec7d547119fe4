import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseFolders } from './base-folders.ts';
import type { SessionEvent } from './session-event.ts';

/** About 50 MB. */
const maxSpooledEvents = 15_000;

/** The folder in which session events wait until a process imports them into their vault. */
export function spoolFolder(stateHome: string): string {
  return join(stateHome, 'spool');
}

/** A place in the spool that is reserved before the event is known. */
export type EventClaim = {
  event: SessionEvent['event'];
  /** Writes the event atomically. Returns false if the spool is full. */
  record(part: SessionEvent): boolean;
  /** Gives up the claim because there is nothing to record. */
  release(): void;
};

/** The folders for claims: in the spool, or, if that is not writable, in the configuration folder. */
export function claimFolders({
  state,
  configuration,
}: Pick<BaseFolders, 'state' | 'configuration'>): string[] {
  return [join(spoolFolder(state), 'claims'), join(configuration, 'lost')];
}

/**
 * Reserves a place with an empty file, which later receives the event and is renamed. One of the two names exists at
 * every moment, so a claim whose process has ended means a lost event. The file is empty at first, because even a full
 * disk usually has room for a file name.
 */
export function claimEvent(homes: BaseFolders, event: SessionEvent['event'], calledAt: number): EventClaim {
  const claim = createClaim(claimFolders(homes), `${event}.${calledAt}.${process.pid}`);
  const folder = spoolFolder(homes.state);
  const release = (): void => rmSync(claim, { force: true });
  return {
    event,
    release,
    record(part) {
      const place = join(folder, `${part.key}.json`);
      // A prompt that is reported again keeps its place in the session; of several answers to a prompt the last one
      // counts.
      if (part.event === 'prompt' && existsSync(place)) {
        release();
        return true;
      }
      if (readdirSync(folder).length >= maxSpooledEvents) return false;
      writeFileSync(claim, JSON.stringify(part), { flag: 'r+', flush: true });
      renameSync(claim, place);
      return true;
    },
  };
}

/** Parses the file name of a claim; null for any other file. */
export function parseClaim(name: string): { event: string; calledAt: number; pid: number } | null {
  const [, event, calledAt, pid] = /^([a-z-]+)\.(\d+)\.(\d+)$/.exec(name) ?? [];
  return event === undefined ? null : { event, calledAt: Number(calledAt), pid: Number(pid) };
}

function createClaim(folders: readonly string[], name: string): string {
  let failure: unknown;
  for (const folder of folders)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, name);
      writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
      return file;
    } catch (error) {
      failure = error;
    }
  throw failure;
}

/** The last call of a hook: its time (epoch milliseconds), its duration (milliseconds) and its error. */
export type HookHealth = { client: string; event: string; at: number; took: number; problem: string | null };

export function healthFolder(stateHome: string): string {
  return join(stateHome, 'hooks');
}

export function recordHookCall(stateHome: string, health: HookHealth): void {
  const folder = healthFolder(stateHome);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${health.client}-${health.event}.json`), JSON.stringify(health), {
    mode: 0o600,
  });
}
