import type { JournalEntry } from './journal-entry.ts';
import { onOneLine } from './on-one-line.ts';

/** The message of a commit without an entry in the journal. */
export const foundMessage = 'As it was found\n';

/** The message of an entry's commit. Its last line is the id, and no other text can get there: origin and summary are one line each. */
export function messageOf({ id, origin, summary }: JournalEntry): string {
  return `${onOneLine(summary)}\n\nKeepsake-Origin: ${onOneLine(origin)}\nKeepsake-Id: ${idInTrailer(id)}\n`;
}

/** The message that earlier versions wrote for an entry. Origins could have several lines then, so only the whole of it proves anything. */
function earlierMessageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}

/** Callers may choose ids. One with unusual characters is quoted, so that it stays on its line. */
function idInTrailer(id: string): string {
  return /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id);
}

// Git leaves an empty first line out. Nothing may follow the id, and nothing but the summary comes before the trailers.
const withId = /^(?:[^\n]*\n\n)?Keepsake-Origin:[^\n]*\nKeepsake-Id: ([^\n]+)\n*$/;

/** Finds the entry of a commit among these by the id in its message; a commit of an earlier version by all of its message. */
export function entryFinder(entries: readonly JournalEntry[]): (message: string) => JournalEntry | undefined {
  const byId = new Map(entries.map((entry) => [idInTrailer(entry.id), entry]));
  const byMessage = new Map(entries.map((entry) => [earlierMessageOf(entry).trimEnd(), entry]));
  return (message) => {
    const id = withId.exec(message)?.[1];
    return id === undefined ? byMessage.get(message.trimEnd()) : byId.get(id);
  };
}
