import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { healthFolder, readSettings } from '../hook/index.ts';
import type { HookHealth, SessionSettings } from '../hook/index.ts';
import { lostParts } from './lost-parts.ts';
import type { LostParts } from './lost-parts.ts';
import { namesIn, segmentsOf, waitingParts } from './spool.ts';

export type CaptureStatus = {
  settings: SessionSettings;
  /** Sessions that are not over, and segments that are not in the vault yet. */
  sessions: number;
  segments: number;
  /** The last call of each hook. */
  hooks: HookHealth[];
  lost: LostParts;
};

export function captureStatus(environment: Environment, root: string): CaptureStatus {
  const { configurationHome, stateHome } = environment;
  return {
    settings: readSettings(configurationHome),
    sessions: waitingParts(stateHome, root).size,
    segments: segmentsOf(stateHome, root).length,
    hooks: hooksIn(healthFolder(stateHome)),
    lost: lostParts(environment, Date.now()),
  };
}

function hooksIn(folder: string): HookHealth[] {
  return namesIn(folder)
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as HookHealth];
      } catch {
        // A hook that was ended while it wrote this, or found the disk full, says nothing about the others.
        return [];
      }
    })
    .toSorted((a, b) => b.at - a.at);
}
