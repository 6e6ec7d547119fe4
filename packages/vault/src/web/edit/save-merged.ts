import type { FileText } from '../api/files-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { mergeCleanly } from './merge.ts';
import { hasSameContent } from './note-parts.ts';

/** The text and ETag of a file. The ETag is empty if the file does not exist. */
export type Version = { base: string; etag: string };

/** A text to save, and the version that it is based on. */
export type Attempt = Version & { content: string };

export type Saved =
  | { kind: 'saved'; content: string }
  /**
   * Nothing was written: the file was changed in the same lines, was deleted, or keeps changing. `attempt` contains all
   * earlier merges.
   */
  | { kind: 'conflict'; attempt: Attempt; theirs: FileText };

type File = {
  path: string;
  save: (content: string, etag: string | null) => Promise<unknown>;
  /** Reads the current file; its ETag is empty if the file does not exist. */
  read: () => Promise<FileText>;
};

/** After this many attempts on a file that keeps changing, the user has to decide. */
const maxAttempts = 5;

/** Saves a text. If the file has changed since the base version, both are merged, unless they changed the same lines. */
export async function saveMerged({ path, save, read }: File, first: Attempt): Promise<Saved> {
  let attempt = first;
  for (let count = 1; ; count += 1) {
    try {
      await save(attempt.content, attempt.etag === '' ? null : attempt.etag);
      return { kind: 'saved', content: attempt.content };
    } catch (error) {
      if (!hasErrorCode(error, 'changed-since') && !hasErrorCode(error, 'conflict')) throw error;
    }
    const theirs = await read();
    const isGone = theirs.etag === '';
    const merged =
      isGone || count === maxAttempts
        ? null
        : mergeCleanly({ path, base: attempt.base, ours: attempt.content, theirs: theirs.text });
    if (merged === null) return { kind: 'conflict', attempt, theirs };
    attempt = { content: merged, base: theirs.text, etag: theirs.etag };
  }
}

/**
 * The new base of a text that the user edited during a save: the current file, if it equals the saved text except for stamps.
 * Otherwise it is the saved text, so that the next save merges the changes of other writers.
 */
export function versionAfterSave(path: string, sent: Attempt, present: FileText): Version {
  return hasSameContent(path, present.text, sent.content)
    ? { base: present.text, etag: present.etag }
    : { base: sent.content, etag: sent.etag };
}
