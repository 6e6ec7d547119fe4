import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { formatLocalTime } from '../contract/index.ts';
import { identityFile, pluralize, resolveRoot } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { resolveVault } from './configuration.ts';
import { databaseFile } from './database-files.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { findVaultKnownAt, locateVault } from './known-vaults.ts';
import type { KnownVault } from './known-vaults.ts';

type Selection = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/** The root of the selected vault. Throws `vault-gone` if a known vault is no longer there. */
export function openVaultRoot({ vault, state, environment }: Selection): VaultRoot {
  const folder = resolveVault(vault, environment);
  if (!existsSync(folder)) {
    assertNotGone(folder, environment, { state });
    if (vault === undefined && environment.vault === undefined)
      throw new AppError('vault-gone', `the default vault ${folder} is gone`, {
        hint: `${mountHint}; choose another one with: keepsake config vault <folder>`,
      });
  }
  const root = resolveRoot(folder);
  if (!existsSync(join(root, identityFile))) assertNotGone(folder, environment, { state });
  return root;
}

const mountHint = 'if it is on a disk that is not mounted, mount it';

/**
 * Throws `vault-gone` if the folder, which is missing or no vault, was one: it was moved or deleted, or its disk is not mounted.
 * `hint` is added to the advice.
 */
export function assertNotGone(
  folder: string,
  environment: Environment,
  { state, hint }: { state?: string | undefined; hint?: string } = {},
): void {
  const known = findVaultKnownAt(
    folder,
    environment.stateHome,
    state === undefined ? undefined : environment.resolve(state),
  );
  if (known === null) return;
  const present = locateVault(known);
  // The vault was moved, and other files took its place.
  if (present !== null && hasFiles(folder)) return;
  const advice =
    present === null
      ? `${mountHint}; if you moved it, run: keepsake reconnect <new folder>`
      : `it is in ${present} now; reconnect commands, AI tools and hooks with: keepsake reconnect ${quoteWord(present)}`;
  throw new AppError('vault-gone', `the vault that was in ${folder} (${describeKnown(known)}) is gone`, {
    hint: hint === undefined ? advice : `${advice}; ${hint}`,
  });
}

function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('.'));
}

/** Quotes a path for a shell if it needs it; double quotes mean the same in all shells. */
function quoteWord(path: string): string {
  return /^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`;
}

/** What tells a vault from others, for a person: `300 notes, last used today`. */
export function describeKnown({ stateFolder }: KnownVault, now = Date.now()): string {
  const notes = countNotes(stateFolder);
  return [
    ...(notes === null ? [] : [pluralize(notes, 'note')]),
    `last used ${describeDay(lastUse(stateFolder), now)}`,
  ].join(', ');
}

/** Null if the catalogue cannot be read. */
function countNotes(stateFolder: string): number | null {
  try {
    const database = new Database(databaseFile(stateFolder, 'catalogue'), {
      readonly: true,
      fileMustExist: true,
    });
    try {
      return database.prepare("select count(*) from files where name like '%.md'").pluck().get() as number;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function lastUse(stateFolder: string): number {
  const times = readdirSync(stateFolder).map(
    (name) => statSync(join(stateFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(0, ...times);
}

function describeDay(at: number, now: number): string {
  const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `on ${formatLocalTime(at).slice(0, 10)}`;
}
