import type { JournalEntry } from './journal-entry.ts';

/** The message of what has no id: nobody has changed it. */
export const foundMessage = 'As it was found\n';

/** For whoever reads it with git. Which commit belongs to which change, only the journal says. */
export function messageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}
