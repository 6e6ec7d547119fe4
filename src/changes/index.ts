export { askAboutLeftCopy } from './ask-about-left-copy.ts';
export { askAboutMarkers } from './ask-about-markers.ts';
export { itemAbout } from './ask-once.ts';
export { afterOf, beforeOf, deepestFirst, fileChange } from './change.ts';
export type { Change, FileChange } from './change.ts';
export { openChanges } from './changes.ts';
export type { Changes } from './changes.ts';
export { primitivesOf } from './file-primitives.ts';
export { blobIdOf, blobSizes, importStream, readBlobs, removeStaleLocks, runGit } from './git.ts';
export type { Git } from './git.ts';
export { insertText } from './insert-text.ts';
export {
  createJournal,
  holdingMigrations,
  lookupMigrations,
  journalMigrations,
  laterJournalMigrations,
  syncOrigin,
  tellingMigrations,
} from './journal.ts';
export type { Begun, Decision, Journal, Taking } from './journal.ts';
export type { JournalEntry } from './journal-entry.ts';
export { mergeKeepingBoth, mergeVersions } from './merge-versions.ts';
export { reviewOfDisputes } from './copy-review.ts';
export type { Dispute } from './unite-lines.ts';
export { latestChangesMigrations } from './migrations.ts';
export { settleCopy } from './settle-copy.ts';
export type { SettledCopy } from './settle-copy.ts';
export { createSilence, isDead, isHere, markOf } from './signs-of-life.ts';
export { lookAtStamps, stampFiles } from './stamping.ts';
export type { StampableFile } from './stamping.ts';
export type { Stamps } from './stamps.ts';
export { createTransaction } from './transaction.ts';
export type { Connection, Policy, Transaction } from './transaction.ts';
export { readTreeFile, renderTreeFile, writeTreeFile } from './tree-file.ts';
export type { Undone } from './undo.ts';
export { createWriterLock } from './writer-lock.ts';
export type { CommitListener, Why, Writer, Written } from './writer.ts';
