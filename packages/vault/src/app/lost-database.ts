import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from './database-files.ts';

/** Remembers the loss, because the next change makes the new database look like any other. */
const recordFile = (stateFolder: string): string => `${databaseFile(stateFolder, 'durable')}.lost`;

/**
 * Call it before a new durable database gets its tables. History is created after the database, so a history without one means
 * that the database was emptied or deleted.
 */
export function recordIfDatabaseLost(stateFolder: string): void {
  if (hasHistory(stateFolder)) writeFileSync(recordFile(stateFolder), '', { mode: 0o600, flush: true });
}

/** What was lost and what to do about it; null when nothing was lost, or the user has deleted the record of it. */
export function findDatabaseLoss(stateFolder: string): { message: string; hint: string } | null {
  const file = recordFile(stateFolder);
  if (!existsSync(file)) return null;
  return {
    message: `${databaseFile(stateFolder, 'durable')} was empty or missing although there is a history: waiting updates, tokens and the list of earlier changes are lost`,
    hint: `restore a backup: keepsake restore-backup <folder> --to <vault>; to continue without them, delete ${file}`,
  };
}

function hasHistory(stateFolder: string): boolean {
  return ['refs/heads/main', 'packed-refs'].some((ref) => existsSync(join(stateFolder, 'history.git', ref)));
}
