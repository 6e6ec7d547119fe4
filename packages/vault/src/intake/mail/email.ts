import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { uniqueName } from '../markdown/safe-name.ts';
import type { Converter, Limits } from '../port.ts';
import { refuse } from '../refusal.ts';
import { writeBody } from './email-body.ts';
import { encryptionOf } from './email-encryption.ts';
import { headersOf } from './email-headers.ts';
import type { Headers } from './email-headers.ts';
import { sortParts } from './email-parts.ts';
import { createPictures } from './email-pictures.ts';

/** A message with its headers as a list; what is attached to it is named below, and handed on as it is. */
export const convertEmail: Converter = async ({ bytes }, { stem, limits }) => {
  const email = await parseEmail(bytes, limits);
  if (email === null) return refuse('too-large', 'its parts lie too deep in one another; forward it anew');
  const locked = encryptionOf(email);
  if (locked !== null) return locked;
  const headers = headersOf(email);
  const { parts, events, warnings } = await sortParts(email.attachments);
  const pictures = createPictures(parts, stem);
  const body = writeBody(email.text ?? '', email.html ?? '', pictures);
  const taken = new Set<string>();
  const attachments = parts
    .filter((part) => !pictures.shown.has(part))
    .map(({ name, bytes: content }) => ({ name: uniqueName(name, taken), bytes: content }));
  const names = attachments.map(({ name }) => name).join(', ');
  if (headers.subject === undefined && `${body.markdown}${events.join('')}${names}`.trim() === '')
    return refuse('empty', 'it has neither a subject nor words nor attachments');
  return {
    kind: 'converted',
    markdown: [
      `# ${headers.subject ?? '(no subject)'}`,
      listHeaders(headers),
      body.markdown,
      ...events,
      names === '' ? '' : `Attachments: ${names}`,
    ]
      .filter((section) => section !== '')
      .join('\n\n'),
    images: pictures.images,
    metadata: {
      type: 'email',
      ...(headers.subject !== undefined && { title: headers.subject }),
      ...(headers.from !== undefined && { author: headers.from }),
      ...(headers.moment !== undefined && { date: headers.moment }),
    },
    warnings: [...body.warnings, ...warnings],
    attachments,
  };
};

function listHeaders({ from, to, cc, date }: Headers): string {
  return Object.entries({ From: from, To: to, Cc: cc, Date: date })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');
}

/** A message alone has parts in parts in parts: text beside a page, with its pictures, with attachments, signed. */
const levels = 4;
const headerBytes = 16_384;

/** Null for what is nested too deeply, or is nothing but headers. */
async function parseEmail(bytes: Uint8Array, { nesting, attachments }: Limits): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: nesting * levels,
      maxHeadersSize: attachments * headerBytes,
    });
  } catch (error) {
    // It throws plain errors for its limits, and nothing else.
    if (error instanceof Error && error.message.startsWith('Maximum')) return null;
    throw error;
  }
}
