import type { JournalEntry } from './journal-entry.ts';
import { toSingleLine } from './single-line.ts';

/** The message of a commit without an entry in the journal. */
export const baselineMessage = 'As it was found\n';

/**
 * The commit message of an entry. Its last line is the id, and no other text can get there, because origin and summary
 * are single lines.
 */
export function formatCommitMessage({ id, origin, summary }: JournalEntry): string {
  return `${toSingleLine(summary)}\n\nKeepsake-Origin: ${toSingleLine(origin)}\nKeepsake-Id: ${idInTrailer(id)}\n`;
}

/**
 * The message that earlier versions wrote for an entry. Their origins could span several lines, so only a match of the
 * whole message is reliable.
 */
function earlierMessageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}

/** Callers may choose ids. An id with unusual characters is quoted, so that it stays on its line. */
function idInTrailer(id: string): string {
  return /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id);
}

// Git drops an empty first line. Nothing may follow the id, and only the summary may precede the trailers.
const withId = /^(?:[^\n]*\n\n)?Keepsake-Origin:[^\n]*\nKeepsake-Id: ([^\n]+)\n*$/;

/** Finds the entry of a commit by the id in its message; for commits of earlier versions by the whole message. */
export function entryFinder(entries: readonly JournalEntry[]): (message: string) => JournalEntry | undefined {
  const byId = new Map(entries.map((entry) => [idInTrailer(entry.id), entry]));
  const byMessage = new Map(entries.map((entry) => [earlierMessageOf(entry).trimEnd(), entry]));
  return (message) => {
    const id = withId.exec(message)?.[1];
    return id === undefined ? byMessage.get(message.trimEnd()) : byId.get(id);
  };
}
