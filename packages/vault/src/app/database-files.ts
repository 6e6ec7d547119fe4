import { existsSync, rmSync } from 'node:fs';
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

type DatabaseName = keyof typeof databaseNames;

export function databaseFile(stateFolder: string, name: DatabaseName): string {
  return join(stateFolder, databaseNames[name]);
}

export function hasDatabase(stateFolder: string, name: DatabaseName): boolean {
  return existsSync(databaseFile(stateFolder, name));
}

export function discardDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
