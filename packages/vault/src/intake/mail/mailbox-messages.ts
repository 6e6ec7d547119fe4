import { fileNameFromTitle } from '../markdown/safe-name.ts';
import type { Document } from '../document.ts';
import { parseMbox } from './parse-mbox.ts';

/** Yields the messages of a mailbox of any size, each named after its day and subject. */
export async function* mailboxMessages(mailbox: Uint8Array): AsyncGenerator<Document, void, undefined> {
  // Loaded on demand, like all converters.
  const { readHeaders } = await import('./email-headers.ts');
  for (const bytes of parseMbox(mailbox)) {
    const { moment, subject } = await readHeaders(bytes);
    const title = [moment?.slice(0, 10), subject].filter((part) => part !== undefined).join(' ');
    yield { name: fileNameFromTitle(title, '.eml'), bytes };
  }
}
