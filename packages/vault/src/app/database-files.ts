import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every database of a state folder. The first cannot be recreated; the others are rebuilt. */
const databaseNames = {
  durable: 'keepsake.sqlite',
  locks: 'lock.sqlite',
  catalogue: 'catalogue.sqlite',
  index: 'index.sqlite',
  upkeep: 'upkeep.sqlite',
  sync: 'sync.sqlite',
} as const;

export const databaseNamesToRebuild = (Object.keys(databaseNames) as DatabaseName[]).filter(
  (name) => name !== 'durable',
);

export type DatabaseName = keyof typeof databaseNames;

export function databaseFile(stateFolder: string, name: DatabaseName): string {
  return join(stateFolder, databaseNames[name]);
}

export function hasDatabase(stateFolder: string, name: DatabaseName): boolean {
  return existsSync(databaseFile(stateFolder, name));
}

/** The mark is deleted last, so that an interrupted call is repeated. */
export function discardDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', damageMark]) rmSync(file + suffix, { force: true });
}

/** A file next to a database that the next process to open it replaces by an empty one. */
const damageMark = '.damaged';

/** Has a damaged database that can be rebuilt replaced when it is opened next. Some damage causes no error, only wrong results. */
export function markDamaged(file: string): void {
  writeFileSync(file + damageMark, '', { mode: 0o600 });
}

export function isMarkedDamaged(file: string): boolean {
  return existsSync(file + damageMark);
}
