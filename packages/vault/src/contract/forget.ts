/** What to forget. Lines are numbered from 1 and include both ends. */
export type ForgetTarget =
  | { kind: 'words'; words: string }
  | { kind: 'path'; path: string; lines: { start: number; end: number } | null }
  | { kind: 'update'; id: string };

/** Where words can be stored. */
export type ForgetStoreName =
  | 'files'
  | 'history'
  | 'journal'
  | 'queue'
  | 'answers'
  | 'sessions'
  | 'index'
  | 'sync'
  | 'state'
  | 'temporary';

/**
 * A place that contains the words: a file of the vault, the versions of a file in history, the rows of a table. `count` is the
 * number of files, versions or rows. In a plan, `name` can contain the words; in a receipt it does not.
 */
export type ForgetPlace = { store: ForgetStoreName; name: string; count: number };

/** A place that may contain the words and that forgetting cannot change. */
export type UnreachablePlace = {
  kind: 'backup' | 'machine' | 'provider' | 'shell' | 'document' | 'file' | 'repository';
  /** A path, an address or a name; empty if there is none. */
  name: string;
};

/** What forgetting would do. Contains the words: do not store or log it. */
export type ForgetPlan = {
  target: ForgetTarget;
  /** The phrases that the target stands for; for words, the words themselves. */
  phrases: string[];
  places: ForgetPlace[];
  unreachable: UnreachablePlace[];
};

/** What forgetting did. Does not contain the words. */
export type ForgetReceipt = {
  places: ForgetPlace[];
  /** Places in which the words were found again afterwards; empty if everything was removed. */
  remaining: ForgetPlace[];
  unreachable: UnreachablePlace[];
  /** The change that removed the words from the files of the vault; null if no file contained them. */
  change: string | null;
};

/**
 * Forgets words for good. `plan` changes nothing. `run` removes the words from every place and checks that they are gone; it
 * cannot be undone, and if it is interrupted, the next process that opens the vault completes it. Both throw if the target
 * does not exist; `run` also throws, before it has changed anything, while an update is being processed or another
 * process is forgetting.
 */
export type Forgetting = {
  plan(target: ForgetTarget): Promise<ForgetPlan>;
  run(plan: ForgetPlan, options?: ForgetOptions): Promise<ForgetReceipt>;
};

export type ForgetOptions = {
  /** The update that asks for it, which is the only one that may be running. Its own input is forgotten, too. */
  duringUpdate?: string;
};
