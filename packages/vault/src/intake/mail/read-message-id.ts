import { detectKind } from '../detect.ts';
import type { Document } from '../document.ts';

const messageId = /^message-id:\s*<([^<>\s]{3,500})>/im;
const maxHeaderBytes = 65_536;

/** The Message-ID of a mail, which is the same in every copy of it; null for other documents. */
export function readMessageId(document: Document): string | null {
  if (detectKind(document) !== 'email') return null;
  const head = Buffer.from(document.bytes.subarray(0, maxHeaderBytes)).toString('latin1');
  const [headers = ''] = head.split(/\r?\n\r?\n/, 1);
  return messageId.exec(headers)?.[1] ?? null;
}

/** Whether a text contains a Message-ID, because a mail was pasted with its headers. */
export function hasMessageId(text: string): boolean {
  return messageId.test(text);
}
