import type { Attachment } from 'postal-mime';
import { fileNameFromTitle, sanitizeFileName } from '../markdown/safe-name.ts';
import type { Document } from '../document.ts';
import { formatEvents } from './calendar.ts';
import { readHeaders } from './email-headers.ts';

export type Part = Document & { contentId: string | null };

type MessageParts = {
  /** Parts that are shown inline in the message or attached to it. */
  parts: Part[];
  /** Markdown sections about calendar events. */
  events: string[];
  warnings: string[];
};

/** Separates the parts of a message into inline images or attachments, calendar events and signatures. */
export async function classifyParts(attachments: readonly Attachment[]): Promise<MessageParts> {
  const sorted: MessageParts = { parts: [], events: [], warnings: [] };
  for (const [index, attachment] of attachments.entries()) {
    const bytes = bytesOf(attachment);
    const name = await nameOf(attachment, bytes, index);
    if (isCalendar(attachment)) sorted.events.push(...formatEvents(new TextDecoder().decode(bytes)));
    else if (isSignature(attachment))
      sorted.warnings.push(`The digital signature ${name} was omitted; the original is kept.`);
    else if (isTnef(attachment))
      sorted.warnings.push(
        `${name} was omitted: only Outlook can open it. Save its attachments from Outlook.`,
      );
    else sorted.parts.push({ name, bytes, contentId: idOf(attachment) });
  }
  // A message often contains its invitation twice: once to be shown, once as an attachment.
  return { ...sorted, events: [...new Set(sorted.events)] };
}

function isCalendar({ mimeType, filename }: Attachment): boolean {
  return ['text/calendar', 'application/ics'].includes(mimeType) || /\.ics$/i.test(filename ?? '');
}

function isSignature({ mimeType, filename }: Attachment): boolean {
  return /\/(?:x-)?(?:pkcs7|pgp)-signature$/.test(mimeType) || /\.(?:p7s|asc)$/i.test(filename ?? '');
}

function isTnef({ mimeType, filename }: Attachment): boolean {
  return mimeType === 'application/ms-tnef' || /^winmail\.dat$/i.test(filename ?? '');
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

function idOf({ contentId }: Attachment): string | null {
  return contentId?.replaceAll(/^<|>$/g, '') ?? null;
}

const extensions = new Map([
  ['text/plain', 'txt'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['text/rfc822-headers', 'txt'],
  ['message/delivery-status', 'txt'],
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
]);

async function nameOf({ mimeType, filename }: Attachment, bytes: Uint8Array, index: number): Promise<string> {
  const unnamed = `attachment-${index + 1}.${extensions.get(mimeType) ?? 'bin'}`;
  if (mimeType !== 'message/rfc822') return sanitizeFileName(filename ?? '', unnamed);
  const { subject } = await readHeaders(bytes);
  return fileNameFromTitle(subject ?? filename?.replace(/\.eml$/i, '') ?? '', '.eml');
}
