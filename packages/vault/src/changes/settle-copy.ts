import { bodyOf, isTree, layoutReader, measureBytes, nameOf, showPath, splitLines } from '../vault/index.ts';
import type { ConflictCopy, Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { questionAboutLeft } from './ask-about-left-copy.ts';
import { askOnce, questionChanges, withdrawal } from './ask-once.ts';
import type { Question } from './ask-once.ts';
import { commonBase, nearest } from './common-base.ts';
import type { DatedVersion } from './common-base.ts';
import { reviewOfCopy, reviewOfDisputes } from './copy-review.ts';
import { countEach } from './count-each.ts';
import { syncOrigin } from './journal-entry.ts';
import { mergeKeepingBoth, mergeVersions } from './merge-versions.ts';
import type { KeptBoth } from './merge-versions.ts';
import { lookAtStamps } from './stamping.ts';
import type { StampableFile } from './stamping.ts';
import { readTreeFile } from './tree-file.ts';
import { hasWord } from './unite-lines.ts';
import type { Writer, Written } from './writer.ts';

type Parts = {
  root: VaultRoot;
  writer: Pick<Writer, 'write'>;
  /** What history has of a file, newest first. */
  versionsOf: (path: VaultPath) => Promise<DatedVersion[]>;
  /** The changes of a file, newest first. */
  changesOf: (path: VaultPath) => { origin: string; isUndone: boolean }[];
  language: Language;
};

/** What became of a conflict copy. `disturbed` when somebody is writing: it is to be tried again. */
export type SettledCopy =
  /** What the note is now; null when it needed no change. */
  | { kind: 'merged'; note: (StampableFile & { isWritten: true }) | null }
  | { kind: 'asked' }
  | { kind: 'left' }
  | { kind: 'disturbed' };

const origin = syncOrigin;

/**
 * Brings a conflict copy into its note and removes it, in one change. What cannot be merged, or may be a note of its own, stays as it
 * is, and the person is asked once.
 */
export async function settleCopy(parts: Parts, copy: ConflictCopy): Promise<SettledCopy> {
  const { root, writer } = parts;
  const [theirs, ours] = [await lookAtStamps(root, copy.path), await lookAtStamps(root, copy.original)];
  if (theirs?.isBeingWritten === true || ours?.isBeingWritten === true) return { kind: 'disturbed' };
  if (theirs === null || ours === null) return { kind: 'left' };
  const remove = { kind: 'remove' as const, path: copy.path, before: theirs.bytes, mode: null };
  if (isTree(copy.original) && readTreeFile(root).kind !== 'foreign') {
    const why = { origin, summary: `dropped ${showPath(copy.path)}: the tree is made anew from the files` };
    return outcome(await writer.write([remove], why), null);
  }
  const merged = await merge(parts, copy, ours, theirs);
  const question = questionAbout(copy, theirs, parts.language);
  if (merged === null) return ask(parts, question);
  const after = Buffer.from(merged.text);
  // What another machine has merged meanwhile is not to be merged with this by lines: it is looked at anew.
  const finish = (bytes: Buffer, present: Buffer | null): Buffer => {
    if (present?.equals(ours.bytes) !== true) throw new Disturbed();
    return bytes;
  };
  const replace = {
    kind: 'replace' as const,
    path: copy.original,
    before: ours.bytes,
    after,
    mode: null,
    finish,
  };
  const why = { origin, summary: `merged ${nameOf(copy.path)} into ${showPath(copy.original)}` };
  const measure = measureBytes(after);
  const isSame = after.equals(ours.bytes);
  const note =
    measure === null || isSame ? null : { ...ours, ...measure, bytes: after, isWritten: true as const };
  const needless = [question, questionAboutLeft(copy, theirs.mtime, parts.language)];
  const withdrawn = needless.flatMap((each) => withdrawal(root, each));
  const asked =
    merged.disputes.length === 0 ? [] : questionChanges(root, disputesIn(copy, theirs, merged, parts));
  const changes = [...(isSame ? [] : [replace]), remove, ...withdrawn, ...asked];
  try {
    return outcome(await writer.write(changes, why), note);
  } catch (error) {
    if (error instanceof Disturbed) return { kind: 'disturbed' };
    throw error;
  }
}

class Disturbed extends Error {}

function outcome(written: Written, note: (StampableFile & { isWritten: true }) | null): SettledCopy {
  return written.kind === 'conflict' ? { kind: 'disturbed' } : { kind: 'merged', note };
}

/** Null when the user has to decide about all of it. */
async function merge(
  { root, versionsOf, changesOf }: Parts,
  { path, original, isCertain }: ConflictCopy,
  ours: StampableFile,
  theirs: StampableFile,
): Promise<KeptBoth | null> {
  // One that was taken back would be made again, and again.
  if (changesOf(path).some((change) => change.origin === origin && change.isUndone)) return null;
  const versions = await versionsOf(original);
  const [a, b] = [String(ours.bytes), String(theirs.bytes)];
  // What is empty may still be filled.
  if (a === '' || b === '') return null;
  const texts = versions.map(({ text }) => text);
  if (!isCertain && !isForeign(texts, a, b)) return null;
  const layout = layoutReader(root)();
  const isBegun = (versions.at(-1)?.at ?? Infinity) <= theirs.mtime;
  const base = commonBase(versions, a, b, isBegun);
  const text = mergeVersions(original, base, a, b, layout);
  const merged =
    text !== null
      ? { text, disputes: [] }
      : base === null
        ? null
        : mergeKeepingBoth(original, base, a, b, layout);
  const isList = layout.isChangelog(original) || layout.isTaskList(original);
  return merged === null || isList || !hasDoubled(merged.text, a, b) ? merged : null;
}

/** Whether a line that each side has once is there twice: where both moved it, nobody knows to which place. */
function hasDoubled(merged: string, a: string, b: string): boolean {
  const [all, mine, theirs] = [merged, a, b].map((text) => countEach(splitLines(bodyOf(text)))) as [
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
  ];
  return [...all].some(
    ([line, count]) => count > 1 && hasWord(line) && mine.get(line) === 1 && theirs.get(line) === 1,
  );
}

/**
 * Whether a copy whose name people give, too, was made by another machine: both sides went on from a version that history has.
 * What somebody copied to work on it comes from the note as it is, or is one of its versions.
 */
function isForeign(versions: readonly string[], note: string, copy: string): boolean {
  if (versions.includes(copy)) return false;
  const others = [note, ...versions.filter((version) => version !== note)];
  return others.length > 1 && nearest(others, copy) !== 0;
}

async function ask(parts: Parts, question: Question): Promise<SettledCopy> {
  return { kind: (await askOnce(parts, question)) ? 'asked' : 'left' };
}

function disputesIn(
  { path, original }: ConflictCopy,
  { bytes, mtime }: StampableFile,
  { disputes }: KeptBoth,
  { language }: Parts,
): Omit<Question, 'summary'> {
  const text = reviewOfDisputes(original, disputes, language);
  return { note: original, about: [path, bytes, 'disputed'], at: mtime, text };
}

function questionAbout(
  { path, original, isCertain }: ConflictCopy,
  { bytes, mtime }: StampableFile,
  language: Language,
): Question {
  return {
    note: original,
    about: [path, bytes],
    at: mtime,
    text: reviewOfCopy(path, original, isCertain, language),
    summary: `two versions of ${showPath(original)}: asked which one is to stand`,
  };
}
