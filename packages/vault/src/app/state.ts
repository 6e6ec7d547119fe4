import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createLeaseKeeper } from '../changes/index.ts';
import type { LeaseKeeper } from '../changes/index.ts';
import { KeepsakeError, describeError } from '../contract/index.ts';
import { adoptVault, identityFile } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { openDurable } from './databases.ts';
import { openLocks } from './locks.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { claimState } from './claim-state.ts';
import { assertNotGone } from './open-vault-root.ts';
import { readInode, getStateFolder } from './state-folder.ts';

/** The durable database (journal, queue, ledger, tokens, sessions) and the lock database. */
type Databases = {
  folder: string;
  durable: Database;
  locks: Database;
  /** Renews the leases in `locks`. */
  leases: LeaseKeeper;
  /** Tells the listeners of `onLostLock`. */
  onLostLock: () => void;
  /**
   * Throws when the open files are no longer those in the state folder, because it was deleted or replaced: writes to them would
   * be lost. Must be called before a write is acknowledged.
   */
  assertNotReplaced: () => void;
};

/**
 * Owns the state folder of an open vault: opens its databases, knows their location, and closes them. The first write may assign
 * another state folder; the databases are then closed and reopened there.
 */
export type State = {
  /** The current state folder. */
  folder: () => string;
  /** Turns the folder into a vault if necessary and assigns its state folder. Must be called before any write. */
  ensureAdopted: (options?: { isJoining?: boolean }) => string;
  /** Whether anything was ever written or accepted. */
  hasDurable: () => boolean;
  /** Opens the databases on first use, so that a folder that is only read gets none. */
  databases(): Databases;
  /** A value that is created from the databases, and recreated when they are reopened. */
  derive<Value>(make: (databases: Databases) => Value): Derived<Value>;
  /** Calls the listener when this process turns out to have lost a lock. Another process may have changed anything since. */
  onLostLock(listener: () => void): void;
  /** Closes the databases permanently; later calls throw. */
  close(): Promise<void>;
};

type Derived<Made> = {
  get: () => Made;
  /** Null while nothing is open. */
  peek(): Made | null;
};

export function createState(root: VaultRoot, named: string | undefined, environment: Environment): State {
  let adopted: string | null = null;
  let opened: Databases | null = null;
  let isClosed = false;
  const listeners: (() => void)[] = [];
  const folder = (): string => adopted ?? getStateFolder(root, named, environment);
  const close = (): Promise<void> => {
    const closing = opened?.leases.close() ?? Promise.resolve();
    opened?.durable.close();
    opened?.locks.close();
    opened = null;
    return closing;
  };
  const databases = (): Databases => {
    if (isClosed) throw new AppError('bad-state', 'the vault is closed');
    const place = folder();
    if (opened !== null && opened.folder !== place) void close();
    return (opened ??= openDatabases(place, () => listeners.forEach((listener) => listener())));
  };
  return {
    folder,
    ensureAdopted({ isJoining = false } = {}) {
      return withStateError(() => {
        // The disk of a known vault may not be mounted, also since the last write, so that its folder is empty.
        if (!isJoining && !existsSync(join(root, identityFile)))
          assertNotGone(root, environment, { state: named });
        if (adopted !== null) return adopted;
        adoptVault(root);
        return (adopted = claimState(root, named, environment, isJoining));
      });
    },
    // An open database can still be read after its file was deleted.
    hasDurable: () => opened?.folder === folder() || hasDatabase(folder(), 'durable'),
    databases,
    derive(make) {
      let last: { from: Databases; made: ReturnType<typeof make> } | null = null;
      return {
        get() {
          const from = databases();
          if (last?.from !== from) last = { from, made: make(from) };
          return last.made;
        },
        peek: () => (last === null || last.from !== opened ? null : last.made),
      };
    },
    onLostLock: (listener) => void listeners.push(listener),
    close() {
      isClosed = true;
      return close();
    },
  };
}

function withStateError(claim: () => string): string {
  try {
    return claim();
  } catch (cause) {
    if (cause instanceof KeepsakeError) throw cause;
    throw new AppError(
      'bad-state',
      `cannot write to the vault or its state folder (${describeError(cause)})`,
      {
        hint: 'free disk space, or run: keepsake doctor',
        cause,
      },
    );
  }
}

function openDatabases(folder: string, onLostLock: () => void): Databases {
  const [durable, locks] = [openDurable(folder), openLocks(folder)];
  const databases = (['durable', 'locks'] as const).map((name) => databaseFile(folder, name));
  const openedInodes = new Map(databases.map((file) => [file, readInode(file)]));
  // A log is created with the first write and exists as long as its database is open.
  const logs = databases.map((file) => `${file}-wal`);
  const isUnchanged = (file: string): boolean => {
    const inode = readInode(file);
    if (inode !== null && !openedInodes.has(file)) openedInodes.set(file, inode);
    return (openedInodes.get(file) ?? null) === inode;
  };
  return {
    folder,
    durable,
    locks,
    leases: createLeaseKeeper(databaseFile(folder, 'locks')),
    onLostLock,
    assertNotReplaced() {
      if ([...databases, ...logs].every(isUnchanged)) return;
      // Does not recreate the folder: if a disk is only unmounted briefly, that would write into the mount point.
      throw new AppError(
        'bad-state',
        `${folder} was deleted, replaced or unmounted while in use; writes are blocked`,
        { hint: 'restore it, or restart Keepsake to use the current folder' },
      );
    },
  };
}
