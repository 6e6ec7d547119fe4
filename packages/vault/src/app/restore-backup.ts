import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  walkFilePaths,
  identityFile,
  isTreeFile,
  fileKindOf,
  baseName,
  resolveRoot,
} from '../vault/index.ts';
import { listHistoryFolders, manifestName } from './backup.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { openDurable } from './databases.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { fsyncTreeAndParents } from './fsync.ts';
import { openKeepsake } from './keepsake.ts';
import { trackCreatedFiles } from './created-files.ts';
import type { CreatedFiles } from './created-files.ts';
import { createMirror } from './mirror.ts';
import { claimState } from './claim-state.ts';
import { isInside, getStateFolder } from './state-folder.ts';

type RestoreSummary = {
  vault: string;
  state: string;
  notes: number;
  changes: number;
  waiting: number;
  /** Files that changed during every attempt to back them up; their copies may be inconsistent. */
  torn: string[];
};

const manifest = z.looseObject({
  version: z.literal(1),
  vault: z.string(),
  torn: z.array(z.string()).default([]),
});

/**
 * Restores a backup with its history, queue and tokens, to the original location of the vault or to `to`, on this
 * machine or another. Never overwrites existing files: the user has to move them elsewhere first. Returns what was
 * restored.
 */
export async function restoreBackup(
  folder: string,
  {
    to,
    state,
    environment,
  }: { to?: string | undefined; state?: string | undefined; environment: Environment },
): Promise<RestoreSummary> {
  const { vault: originalVault, torn } = readManifest(folder);
  // A symbolic link to an empty folder is followed, not replaced.
  const vault = existsSync(to ?? originalVault)
    ? realpathSync(to ?? originalVault)
    : resolve(to ?? originalVault);
  assertEmptyTarget(vault, folder);
  const made = trackCreatedFiles();
  // An existing folder is kept, because it may be a mount point.
  if (mkdirSync(vault, { recursive: true }) !== undefined) made.recordFolder(vault);
  try {
    copyConsistently(join(folder, 'vault'), vault, { made });
    const root = resolveRoot(vault);
    assertUnusedState(getStateFolder(root, state, environment), folder);
    const stateFolder = claimState(root, state, environment);
    // If the vault is a copy of another one, claiming the state has written a new id to this file.
    made.recordFile(join(vault, identityFile));
    restoreState(join(folder, 'state'), stateFolder, made);
    for (const each of [vault, stateFolder]) fsyncTreeAndParents(each);
  } catch (error) {
    // Cleans up for the next attempt. Files that another program has saved there are kept.
    made.removeAll();
    throw error;
  }
  return { ...(await summarizeRestore(vault, state, environment)), torn };
}

function readManifest(folder: string): z.infer<typeof manifest> {
  const file = join(folder, manifestName);
  try {
    return manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new AppError('bad-input', `${folder} is not a complete backup (${file} is missing or unreadable)`, {
      hint: 'choose a folder created by keepsake backup',
      cause,
    });
  }
}

function assertEmptyTarget(vault: string, folder: string): void {
  if (isInside(vault, folder))
    throw new AppError('bad-target', `${vault} is inside the backup`, {
      hint: 'choose another folder with --to',
    });
  if (existsSync(vault) && readdirSync(vault).length > 0)
    throw new AppError('bad-target', `${vault} is not empty; nothing was restored`, {
      hint: 'move it away, or choose another folder with --to',
    });
}

/** Also rejects an incomplete state: history without its journal may contain changes that exist nowhere else. */
function assertUnusedState(state: string, folder: string): void {
  if (isInside(state, folder))
    throw new AppError('bad-target', `the state folder ${state} is inside the backup`, {
      hint: 'choose another with --state',
    });
  if (listDurableFiles(state).length > 0)
    throw new AppError('bad-target', `${state} already contains history or a queue for this vault`, {
      hint: 'move it away or pass --state <folder>',
    });
}

/** The existing history folders and queue files in a state folder. */
function listDurableFiles(state: string): string[] {
  return [
    ...listHistoryFolders(state).map((name) => join(state, name)),
    ...databaseFiles(state).filter(existsSync),
  ];
}

function databaseFiles(state: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => databaseFile(state, 'durable') + suffix);
}

function copyConsistently(...parts: Parameters<typeof createMirror>): void {
  const [changing] = createMirror(...parts)();
  if (changing !== undefined)
    throw new AppError('bad-input', `${changing} is being modified; nothing was restored`, {
      hint: 'stop the program that writes to the backup and try again',
    });
}

function restoreState(source: string, target: string, made: CreatedFiles): void {
  for (const name of listHistoryFolders(source))
    copyConsistently(join(source, name), join(target, name), { isPrivate: true, made });
  if (!hasDatabase(source, 'durable')) return;
  const file = databaseFile(target, 'durable');
  copyConsistently(databaseFile(source, 'durable'), file, { isPrivate: true, made });
  chmodSync(target, 0o700);
  try {
    checkDurable(source, target);
  } finally {
    // Opening the database may have migrated it.
    for (const each of databaseFiles(target)) made.recordFile(each);
  }
}

function checkDurable(source: string, target: string): void {
  const database = openDurable(target);
  const found = database.pragma('quick_check', { simple: true });
  database.close();
  if (found !== 'ok')
    throw new AppError('bad-input', `${databaseFile(source, 'durable')} is damaged (${String(found)})`, {
      hint: 'use another backup',
    });
}

async function summarizeRestore(
  vault: string,
  state: string | undefined,
  environment: Environment,
): Promise<Omit<RestoreSummary, 'torn'>> {
  const keepsake = await openKeepsake({ vault, state, environment });
  try {
    const paths = [...walkFilePaths(await keepsake.catalogue.contents())];
    const { waiting, running } = keepsake.agents.updates.counts();
    return {
      vault,
      state: keepsake.state.folder(),
      notes: paths.filter((path) => fileKindOf(baseName(path)) === 'markdown' && !isTreeFile(path)).length,
      changes: keepsake.changes.count(),
      waiting: waiting + running,
    };
  } finally {
    await keepsake.close();
  }
}
