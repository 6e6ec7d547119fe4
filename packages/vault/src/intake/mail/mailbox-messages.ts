import { nameFromTitle } from '../markdown/safe-name.ts';
import type { Document } from '../port.ts';
import { messagesOf } from './messages-of.ts';

/** The messages of a mailbox of any size, each named after its day and subject. */
export async function* mailboxMessages(mailbox: Uint8Array): AsyncGenerator<Document, void, undefined> {
  // Loaded when needed, like all that reads documents.
  const { readHeaders } = await import('./email-headers.ts');
  for (const bytes of messagesOf(mailbox)) {
    const { moment, subject } = await readHeaders(bytes);
    const title = [moment?.slice(0, 10), subject].filter((part) => part !== undefined).join(' ');
    yield { name: nameFromTitle(title, '.eml'), bytes };
  }
}
