import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Part } from './part.ts';

/** About 50 MB. */
const mostParts = 15_000;

/** Where parts of sessions wait until whoever serves their vault takes them. */
export function spoolFolder(stateHome: string): string {
  return join(stateHome, 'spool');
}

/** A part is there whole or not at all, once, however often it is told. False when there are too many. */
export function spool(stateHome: string, part: Part): boolean {
  const folder = spoolFolder(stateHome);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = join(folder, `${part.key}.json`);
  // A prompt that is reported again stays where it was in its session; of the answers to one the last counts.
  if (part.event === 'prompt' && existsSync(place)) return true;
  if (readdirSync(folder).length >= mostParts) return false;
  const fresh = join(folder, `.${part.key}.${process.pid}`);
  try {
    const file = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(file, JSON.stringify(part));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, place);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  return true;
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
