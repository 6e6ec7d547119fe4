import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Homes } from './homes.ts';
import type { Part } from './part.ts';

/** About 50 MB. */
const mostParts = 15_000;

/** Where parts of sessions wait until whoever serves their vault takes them. */
export function spoolFolder(stateHome: string): string {
  return join(stateHome, 'spool');
}

/** The place of a part in the spool, reserved before anything is known of it. */
export type PartClaim = {
  event: Part['event'];
  /** Puts the part there, whole or not at all. False when too many parts wait. */
  record(part: Part): boolean;
  /** There is nothing to record. */
  release(): void;
};

/** Where claims are: beside the parts, or where that folder cannot be written to, beside the settings. */
export function claimFolders({ state, configuration }: Pick<Homes, 'state' | 'configuration'>): string[] {
  return [join(spoolFolder(state), 'claims'), join(configuration, 'lost')];
}

/**
 * Reserves the place of a part with a file that is renamed to the part: at every moment there is one or the other, so a claim whose
 * process has ended is a part that was lost. The file is empty until then, since a full disk still has room for its name.
 */
export function claimPart(homes: Homes, event: Part['event'], calledAt: number): PartClaim {
  const claim = createClaim(claimFolders(homes), `${event}.${calledAt}.${process.pid}`);
  const folder = spoolFolder(homes.state);
  const release = (): void => rmSync(claim, { force: true });
  return {
    event,
    release,
    record(part) {
      const place = join(folder, `${part.key}.json`);
      // A prompt that is reported again stays where it was in its session; of the answers to one the last counts.
      if (part.event === 'prompt' && existsSync(place)) {
        release();
        return true;
      }
      if (readdirSync(folder).length >= mostParts) return false;
      writeFileSync(claim, JSON.stringify(part), { flag: 'r+', flush: true });
      renameSync(claim, place);
      return true;
    },
  };
}

/** What a name of a claim says; null for any other file. */
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

/** When a hook was last called, how long it took, and what went wrong. */
export type HookHealth = { client: string; event: string; at: number; took: number; problem: string | null };

export function healthFolder(stateHome: string): string {
  return join(stateHome, 'hooks');
}

export function noteHealth(stateHome: string, health: HookHealth): void {
  const folder = healthFolder(stateHome);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${health.client}-${health.event}.json`), JSON.stringify(health), {
    mode: 0o600,
  });
}
