import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { healthFolder, readSettings } from '../hook/index.ts';
import type { HookHealth, SessionSettings } from '../hook/index.ts';
import { segmentsOf, waitingParts } from './spool.ts';

export type CaptureStatus = {
  settings: SessionSettings;
  /** Sessions that are not over, and segments that are not in the vault yet. */
  sessions: number;
  segments: number;
  /** The last call of each hook. */
  hooks: HookHealth[];
};

export function captureStatus({ configurationHome, stateHome }: Environment, root: string): CaptureStatus {
  return {
    settings: readSettings(configurationHome),
    sessions: waitingParts(stateHome, root).size,
    segments: segmentsOf(stateHome, root).length,
    hooks: hooksIn(healthFolder(stateHome)),
  };
}

function hooksIn(folder: string): HookHealth[] {
  try {
    return readdirSync(folder)
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as HookHealth)
      .toSorted((a, b) => b.at - a.at);
  } catch {
    return [];
  }
}
