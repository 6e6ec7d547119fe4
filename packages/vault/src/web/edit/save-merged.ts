import type { FileText } from '../api/files-api.ts';
import { isCode } from '../api/problem.ts';
import { mergeCleanly } from './merge.ts';
import { hasSameWords } from './note-parts.ts';

/** A text of the file and its tag; an empty tag is that of no file. */
export type Version = { base: string; etag: string };

/** A text to be saved, and the version that it began from. */
export type Attempt = Version & { content: string };

export type Saved =
  | { kind: 'saved'; content: string }
  /** Nothing was written: the file as it is now changed the same lines as `attempt`, which holds all that was merged before. */
  | { kind: 'conflict'; attempt: Attempt; theirs: FileText };

type File = {
  path: string;
  save: (content: string, etag: string | null) => Promise<unknown>;
  /** The file as it is now; with an empty tag when there is none. */
  read: () => Promise<FileText>;
};

/** A file that keeps changing is left to the person. */
const maxAttempts = 5;

/** Saves a text. When the file has changed since its base, both are merged and saved, unless they changed the same lines. */
export async function saveMerged({ path, save, read }: File, first: Attempt): Promise<Saved> {
  let attempt = first;
  for (let count = 1; ; count += 1) {
    try {
      await save(attempt.content, attempt.etag === '' ? null : attempt.etag);
      return { kind: 'saved', content: attempt.content };
    } catch (error) {
      if (!isCode(error, 'changed-since') && !isCode(error, 'conflict')) throw error;
    }
    const theirs = await read();
    const isGone = theirs.etag === '';
    const merged =
      isGone || count === maxAttempts
        ? null
        : mergeCleanly({ path, base: attempt.base, mine: attempt.content, theirs: theirs.text });
    if (merged === null) return { kind: 'conflict', attempt, theirs };
    attempt = { content: merged, base: theirs.text, etag: theirs.etag };
  }
}

/**
 * The version that a text goes on from when it was changed while it was saved: the present file, if it has the words that were
 * sent. Else it goes on from what was sent, so that the next save merges the changes of others that it lacks.
 */
export function versionAfterSave(path: string, sent: Attempt, present: FileText): Version {
  return hasSameWords(path, present.text, sent.content)
    ? { base: present.text, etag: present.etag }
    : { base: sent.content, etag: sent.etag };
}
