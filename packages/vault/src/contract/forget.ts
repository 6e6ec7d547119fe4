/**
 * What to forget. Lines are numbered from 1 and include both ends. The sentences around the words stay, unless `wholeSentences` is
 * true.
 */
export type ForgetTarget = { wholeSentences?: boolean | undefined } & (
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'path'; path: string; lines: { start: number; end: number } | null }
  | { kind: 'update'; id: string }
);

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

/** A sentence, or a line without sentences, that forgetting changes. */
export type ForgetPassage = {
  /** Counted from 1; null outside of the files of the vault. */
  line: number | null;
  /** `goes`: words that the user asked to forget. `goes-too`: other words that go with them. */
  before: { text: string; fate: 'stays' | 'goes' | 'goes-too' }[];
  /** Empty if nothing is left. */
  after: string;
  /** The number of versions or rows that contain it. */
  count: number;
};

/**
 * What becomes of a place. `removed` and `replaced` (by a marker): as a whole, for example because it is not text or nothing else
 * is left of it. `rebuilt`: generated again without the words.
 */
export type ForgetEffect = 'edited' | 'renamed' | 'removed' | 'replaced' | 'rebuilt';

/** Outside of files, only the passages that no earlier place contains. */
export type PlannedPlace = ForgetPlace & { effect: ForgetEffect; passages: ForgetPassage[] };

/** What forgetting would do. Contains the words: do not store or log it. */
export type ForgetPlan = {
  target: ForgetTarget;
  /** The texts that the target stands for. */
  phrases: string[];
  places: PlannedPlace[];
  unreachable: UnreachablePlace[];
  /** A code for all passages and for what is removed or renamed as a whole. */
  shown: string;
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
 * does not exist; `run` also throws, before it has changed anything, if `shown` is not the code of what it would remove, while
 * an update is being processed, or while another process is forgetting.
 */
export type Forgetting = {
  plan(target: ForgetTarget): Promise<ForgetPlan>;
  run(target: ForgetTarget, shown: string): Promise<ForgetReceipt>;
};
