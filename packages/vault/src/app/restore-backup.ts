import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { filePathsBelow, identityFile, isTree, kindOf, nameOf, openRoot } from '../vault/index.ts';
import { historiesIn, manifestName } from './backup.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { openDurable } from './databases.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { flushTree } from './flush.ts';
import { openKeepsake } from './keepsake.ts';
import { createMadeFiles } from './made-files.ts';
import type { MadeFiles } from './made-files.ts';
import { createMirror } from './mirror.ts';
import { claimState } from './claim-state.ts';
import { liesIn, stateFolderOf } from './state-folder.ts';

type Restored = {
  vault: string;
  state: string;
  notes: number;
  changes: number;
  waiting: number;
  /** Files that changed too often while the backup was made: their copies may be half of one and half of another. */
  torn: string[];
};

const manifest = z.looseObject({
  version: z.literal(1),
  vault: z.string(),
  torn: z.array(z.string()).default([]),
});

/**
 * Puts a backup where its vault was, or elsewhere, on this machine or another; its history, queue and tokens become those of
 * that vault. Never over something: what is there must be moved away by a person. Tells what there is then.
 */
export async function restoreBackup(
  folder: string,
  {
    to,
    state,
    environment,
  }: { to?: string | undefined; state?: string | undefined; environment: Environment },
): Promise<Restored> {
  const { vault: was, torn } = readManifest(folder);
  // A link to an empty folder stays one.
  const vault = existsSync(to ?? was) ? realpathSync(to ?? was) : resolve(to ?? was);
  refuseToOverwrite(vault, folder);
  const made = createMadeFiles();
  // A folder that was there stays: it may be a mount.
  if (mkdirSync(vault, { recursive: true }) !== undefined) made.noteFolder(vault);
  try {
    copyWhole(join(folder, 'vault'), vault, { made });
    const root = openRoot(vault);
    refuseState(stateFolderOf(root, state, environment), folder);
    const place = claimState(root, state, environment);
    // A copy of a vault gets an id of its own there.
    made.noteFile(join(vault, identityFile));
    restoreState(join(folder, 'state'), place, made);
    for (const each of [vault, place]) flushTree(each);
  } catch (error) {
    // So that it can be tried again. What another program has saved there meanwhile stays.
    made.removeAll();
    throw error;
  }
  return { ...(await count(vault, state, environment)), torn };
}

function readManifest(folder: string): z.infer<typeof manifest> {
  const file = join(folder, manifestName);
  try {
    return manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new AppError('bad-input', `${folder} is no whole backup: ${file} is missing or not readable`, {
      mend: 'name a folder that keepsake backup has made',
      cause,
    });
  }
}

function refuseToOverwrite(vault: string, folder: string): void {
  if (liesIn(vault, folder))
    throw new AppError('bad-target', `${vault} lies in the backup`, { mend: 'name another place with --to' });
  if (existsSync(vault) && readdirSync(vault).length > 0)
    throw new AppError('bad-target', `${vault} is not empty; nothing was restored`, {
      mend: 'move it away first, or name another place with --to',
    });
}

/** A part of a state is one, too: history without its journal may hold what nothing else has. */
function refuseState(state: string, folder: string): void {
  if (liesIn(state, folder))
    throw new AppError('bad-target', `the state folder ${state} lies in the backup`, {
      mend: 'name another with --state',
    });
  if (durableIn(state).length > 0)
    throw new AppError('bad-target', `${state} holds history or queue of this vault already`, {
      mend: 'move it away first, or restore beside it with --state <folder>',
    });
}

/** What there is of history and queue in a state folder. */
function durableIn(state: string): string[] {
  return [...historiesIn(state).map((name) => join(state, name)), ...databaseFiles(state).filter(existsSync)];
}

function databaseFiles(state: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => databaseFile(state, 'durable') + suffix);
}

function copyWhole(...parts: Parameters<typeof createMirror>): void {
  const [changing] = createMirror(...parts)();
  if (changing !== undefined)
    throw new AppError('bad-input', `${changing} changes while it is copied; nothing was restored`, {
      mend: 'end what writes into the backup, and run it again',
    });
}

function restoreState(source: string, target: string, made: MadeFiles): void {
  for (const name of historiesIn(source))
    copyWhole(join(source, name), join(target, name), { isPrivate: true, made });
  if (!hasDatabase(source, 'durable')) return;
  const file = databaseFile(target, 'durable');
  copyWhole(databaseFile(source, 'durable'), file, { isPrivate: true, made });
  chmodSync(target, 0o700);
  try {
    checkDurable(source, target);
  } finally {
    // Opening it may have brought it up to date.
    for (const each of databaseFiles(target)) made.noteFile(each);
  }
}

function checkDurable(source: string, target: string): void {
  const database = openDurable(target);
  const found = database.pragma('quick_check', { simple: true });
  database.close();
  if (found !== 'ok')
    throw new AppError('bad-input', `${databaseFile(source, 'durable')} is damaged (${String(found)})`, {
      mend: 'use another backup',
    });
}

async function count(
  vault: string,
  state: string | undefined,
  environment: Environment,
): Promise<Omit<Restored, 'torn'>> {
  const keepsake = await openKeepsake({ vault, state, environment });
  try {
    const paths = [...filePathsBelow(await keepsake.catalogue.contents())];
    const { waiting, running } = keepsake.agents.updates.counts();
    return {
      vault,
      state: keepsake.state.folder(),
      notes: paths.filter((path) => kindOf(nameOf(path)) === 'markdown' && !isTree(path)).length,
      changes: keepsake.changes.count(),
      waiting: waiting + running,
    };
  } finally {
    await keepsake.close();
  }
}
