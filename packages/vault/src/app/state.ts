import type { Database } from 'better-sqlite3';
import { AdvisedError, describeError } from '../contract/index.ts';
import { adoptVault } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { openDurable } from './databases.ts';
import { openLocks } from './locks.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { claimState } from './claim-state.ts';
import { numberAt, stateFolderOf } from './state-folder.ts';

/** What must not be lost (journal, queue, ledger, tokens, sessions), and who may write at the moment. */
type Databases = {
  folder: string;
  durable: Database;
  locks: Database;
  /**
   * Throws when these are no longer the files in the state folder, because it was deleted or replaced: what is written into
   * them would be lost. Nothing is acknowledged without it.
   */
  confirm: () => void;
};

/**
 * The one owner of the state folder of an open vault: which databases there are, where they lie, and who closes them.
 * The first write gives a folder a state of its own; what was open before is closed then, and opened where that lies.
 */
export type State = {
  /** Where it lies now. */
  folder: () => string;
  /** Makes the folder a vault if it was none, and its state its own: what comes before everything that is written. */
  adopt: (options?: { isJoining?: boolean }) => string;
  /** Whether anything was ever written or accepted. */
  hasDurable: () => boolean;
  /** Opens them when they are first needed: a folder that is only read gets none. */
  databases(): Databases;
  /** What is made from the databases; made anew when they have become others. */
  follow<Made>(make: (databases: Databases) => Made): Followed<Made>;
  /** For good: who still works on it is refused. */
  close(): void;
};

type Followed<Made> = {
  open: () => Made;
  /** Null while nothing is open. */
  present(): Made | null;
};

export function createState(root: VaultRoot, named: string | undefined, environment: Environment): State {
  let adopted: string | null = null;
  let opened: Databases | null = null;
  let isClosed = false;
  const folder = (): string => adopted ?? stateFolderOf(root, named, environment);
  const close = (): void => {
    opened?.durable.close();
    opened?.locks.close();
    opened = null;
  };
  const databases = (): Databases => {
    if (isClosed) throw new AppError('bad-state', 'the vault is closed; nothing more is written');
    const place = folder();
    if (opened !== null && opened.folder !== place) close();
    return (opened ??= openDatabases(place));
  };
  return {
    folder,
    adopt({ isJoining = false } = {}) {
      return (adopted ??= orExplain(() => {
        adoptVault(root);
        return claimState(root, named, environment, isJoining);
      }));
    },
    // What is open can still be read when its file was deleted.
    hasDurable: () => opened?.folder === folder() || hasDatabase(folder(), 'durable'),
    databases,
    follow(make) {
      let last: { from: Databases; made: ReturnType<typeof make> } | null = null;
      return {
        open() {
          const from = databases();
          if (last?.from !== from) last = { from, made: make(from) };
          return last.made;
        },
        present: () => (last === null || last.from !== opened ? null : last.made),
      };
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

function orExplain(claim: () => string): string {
  try {
    return claim();
  } catch (cause) {
    if (cause instanceof AdvisedError) throw cause;
    throw new AppError(
      'bad-state',
      `the vault or its state folder cannot be written (${describeError(cause)})`,
      {
        mend: 'make room on the disk, or see: keepsake doctor',
        cause,
      },
    );
  }
}

function openDatabases(folder: string): Databases {
  const [durable, locks] = [openDurable(folder), openLocks(folder)];
  const files = (['durable', 'locks'] as const).map((name) => databaseFile(folder, name));
  const ours = files.map(numberAt);
  return {
    folder,
    durable,
    locks,
    confirm() {
      if (files.every((file, index) => numberAt(file) === ours[index])) return;
      // Beginning anew by itself could mean to go on in the folder below a disk that is not mounted for a moment.
      throw new AppError(
        'bad-state',
        `${folder} was deleted, replaced or unmounted while it was in use; nothing more is written or accepted`,
        { mend: 'put it back as it was, or start Keepsake again to go on with what is there now' },
      );
    },
  };
}
