import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { healthFolder, readSettings } from '../hook/index.ts';
import type { HookHealth, SessionSettings } from '../hook/index.ts';
import { countLostEvents } from './lost-events.ts';
import type { LostEvents } from './lost-events.ts';
import { listNames, listSegments, listOpenSessions } from './spool.ts';

export type CaptureStatus = {
  settings: SessionSettings;
  /** Sessions that are not finished, and segments that are not in the vault yet. */
  sessions: number;
  segments: number;
  /** The last call of each hook, newest first. */
  hooks: HookHealth[];
  lost: LostEvents;
};

export function readCaptureStatus(environment: Environment, root: string): CaptureStatus {
  const { configurationHome, stateHome } = environment;
  return {
    settings: readSettings(configurationHome),
    sessions: listOpenSessions(stateHome, root).size,
    segments: listSegments(stateHome, root).length,
    hooks: readHookCalls(healthFolder(stateHome)),
    lost: countLostEvents(environment, Date.now()),
  };
}

function readHookCalls(folder: string): HookHealth[] {
  return listNames(folder)
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as HookHealth];
      } catch {
        // The file of one hook may be incomplete, because the hook was killed or the disk was full; the others are
        // still valid.
        return [];
      }
    })
    .toSorted((a, b) => b.at - a.at);
}
