import {
  extractBody,
  isTreeFile,
  createLayoutReader,
  computeTextStats,
  baseName,
  formatPath,
  splitLines,
} from '../vault/index.ts';
import type { ConflictCopy, Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { orphanedCopyQuestion } from './ask-about-orphaned-copy.ts';
import { createInboxQuestion, questionChanges, changesToWithdraw } from './inbox-question.ts';
import type { InboxQuestion } from './inbox-question.ts';
import { findMergeBase, findNearestVersion } from './merge-base.ts';
import type { DatedVersion } from './merge-base.ts';
import { renderCopyReview, renderDisputesReview } from './render-copy-review.ts';
import { countOccurrences } from './count-occurrences.ts';
import { syncOrigin } from './journal-entry.ts';
import { mergeKeepingBoth, mergeVersions } from './merge-versions.ts';
import type { KeptBoth } from './merge-versions.ts';
import { inspectStampableFile } from './stamp-files.ts';
import type { StampableFile } from './stamp-files.ts';
import { readTreeFile } from './tree-file.ts';
import { hasWordCharacter } from './union-merge.ts';
import type { Writer, WriteResult } from './writer.ts';

type Dependencies = {
  root: VaultRoot;
  writer: Pick<Writer, 'write'>;
  /** The versions of a file in history, newest first. */
  fileVersions: (path: VaultPath) => Promise<DatedVersion[]>;
  /** The changes of a file, newest first. */
  changesOf: (path: VaultPath) => { origin: string; isUndone: boolean }[];
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
};

/** What happened to a conflict copy. `busy`: another program is writing; try again later. */
export type CopyMergeResult =
  /** The note after the merge; null when it needed no change. */
  | { kind: 'merged'; note: (StampableFile & { isWritten: true }) | null }
  | { kind: 'asked' }
  | { kind: 'unchanged' }
  | { kind: 'busy' };

const origin = syncOrigin;

/**
 * Merges a conflict copy into its note and removes it, in one change. A copy that cannot be merged, or may be a separate
 * note, stays, and the user is asked once.
 */
export async function mergeConflictCopy(
  dependencies: Dependencies,
  copy: ConflictCopy,
): Promise<CopyMergeResult> {
  const { root, writer } = dependencies;
  const [theirs, ours] = [
    await inspectStampableFile(root, copy.path),
    await inspectStampableFile(root, copy.original),
  ];
  if (theirs?.isBeingWritten === true || ours?.isBeingWritten === true) return { kind: 'busy' };
  if (theirs === null || ours === null) return { kind: 'unchanged' };
  const remove = { kind: 'remove' as const, path: copy.path, before: theirs.bytes, mode: null };
  if (isTreeFile(copy.original) && readTreeFile(root).kind !== 'foreign') {
    const metadata = {
      origin,
      summary: `dropped ${formatPath(copy.path)}: the tree is regenerated from the files`,
    };
    return outcome(await writer.write([remove], metadata), null);
  }
  const merged = await merge(dependencies, copy, ours, theirs);
  const question = conflictCopyQuestion(copy, theirs, dependencies);
  if (merged === null) return ask(dependencies, question);
  const after = Buffer.from(merged.text);
  // If the note has changed in the meantime, another machine may have merged it already. The two results must not be
  // merged line by line, so this attempt is abandoned and repeated later.
  const finalize = (bytes: Buffer, current: Buffer | null): Buffer => {
    if (current?.equals(ours.bytes) !== true) throw new ConcurrentWriteError();
    return bytes;
  };
  const replace = {
    kind: 'replace' as const,
    path: copy.original,
    before: ours.bytes,
    after,
    mode: null,
    finalize,
  };
  const metadata = { origin, summary: `merged ${baseName(copy.path)} into ${formatPath(copy.original)}` };
  const measure = computeTextStats(after);
  const isSame = after.equals(ours.bytes);
  const note =
    measure === null || isSame ? null : { ...ours, ...measure, bytes: after, isWritten: true as const };
  const obsoleteQuestions = [question, orphanedCopyQuestion(copy, theirs.mtime, dependencies)];
  const withdrawn = obsoleteQuestions.flatMap((each) => changesToWithdraw(root, each));
  const asked =
    merged.disputes.length === 0
      ? []
      : questionChanges(root, disputesQuestion(copy, theirs, merged, dependencies));
  const changes = [...(isSame ? [] : [replace]), remove, ...withdrawn, ...asked];
  try {
    return outcome(await writer.write(changes, metadata), note);
  } catch (error) {
    if (error instanceof ConcurrentWriteError) return { kind: 'busy' };
    throw error;
  }
}

class ConcurrentWriteError extends Error {}

function outcome(written: WriteResult, note: (StampableFile & { isWritten: true }) | null): CopyMergeResult {
  return written.kind === 'conflict' ? { kind: 'busy' } : { kind: 'merged', note };
}

/** Null when the copy cannot be merged and the user has to decide. */
async function merge(
  { root, fileVersions, changesOf }: Dependencies,
  { path, original, isCertain }: ConflictCopy,
  ours: StampableFile,
  theirs: StampableFile,
): Promise<KeptBoth | null> {
  // A merge that the user has undone must not be repeated.
  if (changesOf(path).some((change) => change.origin === origin && change.isUndone)) return null;
  const versions = await fileVersions(original);
  const [a, b] = [String(ours.bytes), String(theirs.bytes)];
  // An empty file may be about to be filled.
  if (a === '' || b === '') return null;
  const texts = versions.map(({ text }) => text);
  if (!isCertain && !isFromOtherMachine(texts, a, b)) return null;
  const layout = createLayoutReader(root)();
  const hasCommonOrigin = (versions.at(-1)?.at ?? Infinity) <= theirs.mtime;
  const base = findMergeBase(versions, a, b, hasCommonOrigin);
  const text = mergeVersions(original, base, a, b, layout);
  const merged =
    text !== null
      ? { text, disputes: [] }
      : base === null
        ? null
        : mergeKeepingBoth(original, base, a, b, layout);
  const isList = layout.isChangelog(original) || layout.isTaskList(original);
  return merged === null || isList || !hasDuplicatedLine(merged.text, a, b) ? merged : null;
}

/**
 * Whether the merged text repeats a line that each side contains only once: if both sides moved it, the right place is
 * unknown.
 */
function hasDuplicatedLine(merged: string, a: string, b: string): boolean {
  const [all, inOurs, theirs] = [merged, a, b].map((text) =>
    countOccurrences(splitLines(extractBody(text))),
  ) as [Map<string, number>, Map<string, number>, Map<string, number>];
  return [...all].some(
    ([line, count]) =>
      count > 1 && hasWordCharacter(line) && inOurs.get(line) === 1 && theirs.get(line) === 1,
  );
}

/**
 * Whether this copy was made by another machine and not by the user, who could have chosen the same name. A copy from
 * another machine and the note both derive from a version in history. A copy that the user made derives from the
 * current note, or equals one of its versions.
 */
function isFromOtherMachine(versions: readonly string[], note: string, copy: string): boolean {
  if (versions.includes(copy)) return false;
  const others = [note, ...versions.filter((version) => version !== note)];
  return others.length > 1 && findNearestVersion(others, copy) !== 0;
}

async function ask(dependencies: Dependencies, question: InboxQuestion): Promise<CopyMergeResult> {
  return { kind: (await createInboxQuestion(dependencies, question)) ? 'asked' : 'unchanged' };
}

function disputesQuestion(
  { path, original }: ConflictCopy,
  { bytes, mtime }: StampableFile,
  { disputes }: KeptBoth,
  { language, isHidden }: Dependencies,
): Omit<InboxQuestion, 'summary'> {
  return {
    note: original,
    identity: [path, bytes, 'disputed'],
    writtenAt: mtime,
    isHidden: isHidden(original),
    text: renderDisputesReview(original, disputes, language),
  };
}

function conflictCopyQuestion(
  { path, original, isCertain }: ConflictCopy,
  { bytes, mtime }: StampableFile,
  { language, isHidden }: Dependencies,
): InboxQuestion {
  return {
    note: original,
    identity: [path, bytes],
    writtenAt: mtime,
    isHidden: isHidden(original),
    text: renderCopyReview(path, original, isCertain, language),
    summary: `two versions of ${formatPath(original)}: asked which one to keep`,
  };
}
