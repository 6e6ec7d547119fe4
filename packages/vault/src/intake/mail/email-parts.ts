import type { Attachment } from 'postal-mime';
import { nameFromTitle, safeName } from '../markdown/safe-name.ts';
import type { Document } from '../port.ts';
import { describeCalendar } from './calendar.ts';
import { readHeaders } from './email-headers.ts';

export type Part = Document & { contentId: string | null };

type Parts = {
  /** What may be shown in the message, or else is attached to it. */
  parts: Part[];
  /** Sections about events. */
  events: string[];
  warnings: string[];
};

/** Tells apart what came with a message. */
export async function sortParts(attachments: readonly Attachment[]): Promise<Parts> {
  const sorted: Parts = { parts: [], events: [], warnings: [] };
  for (const [index, attachment] of attachments.entries()) {
    const bytes = bytesOf(attachment);
    const name = await nameOf(attachment, bytes, index);
    if (isCalendar(attachment)) sorted.events.push(...describeCalendar(new TextDecoder().decode(bytes)));
    else if (isSignature(attachment))
      sorted.warnings.push(
        `The digital signature ${name} is left out; it is in the original, which is kept.`,
      );
    else if (isOutlookParcel(attachment))
      sorted.warnings.push(
        `${name} is left out: only Outlook can open it. What is attached in it has to be saved from Outlook.`,
      );
    else sorted.parts.push({ name, bytes, contentId: idOf(attachment) });
  }
  // Invitations come twice in one message, to be shown and to be saved.
  return { ...sorted, events: [...new Set(sorted.events)] };
}

function isCalendar({ mimeType, filename }: Attachment): boolean {
  return ['text/calendar', 'application/ics'].includes(mimeType) || /\.ics$/i.test(filename ?? '');
}

function isSignature({ mimeType, filename }: Attachment): boolean {
  return /\/(?:x-)?(?:pkcs7|pgp)-signature$/.test(mimeType) || /\.(?:p7s|asc)$/i.test(filename ?? '');
}

function isOutlookParcel({ mimeType, filename }: Attachment): boolean {
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
  if (mimeType !== 'message/rfc822') return safeName(filename ?? '', unnamed);
  const { subject } = await readHeaders(bytes);
  return nameFromTitle(subject ?? filename?.replace(/\.eml$/i, '') ?? '', '.eml');
}
