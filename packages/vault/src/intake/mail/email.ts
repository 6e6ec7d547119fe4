import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { uniqueName } from '../markdown/safe-name.ts';
import type { Converter, Limits } from '../document.ts';
import { refuse } from '../rejection.ts';
import { formatBody } from './email-body.ts';
import { checkEncryption } from './email-encryption.ts';
import { formatHeaders } from './email-headers.ts';
import type { Headers } from './email-headers.ts';
import { classifyParts } from './email-parts.ts';
import { createPictures } from './inline-images.ts';

/** Converts a message: its headers as a list, its body, and the names of its attachments, which are passed on unchanged. */
export const convertEmail: Converter = async ({ bytes }, { stem, limits }) => {
  const email = await parseEmail(bytes, limits);
  if (email === null)
    return refuse('too-large', 'the message is nested too deeply; forward it as a new message');
  const locked = checkEncryption(email);
  if (locked !== null) return locked;
  const headers = formatHeaders(email);
  const { parts, events, warnings } = await classifyParts(email.attachments);
  const pictures = createPictures(parts, stem);
  const body = formatBody(email.text ?? '', email.html ?? '', pictures);
  const usedNames = new Set<string>();
  const attachments = parts
    .filter((part) => !pictures.shown.has(part))
    .map(({ name, bytes: content }) => ({ name: uniqueName(name, usedNames), bytes: content }));
  const names = attachments.map(({ name }) => name).join(', ');
  if (headers.subject === undefined && `${body.markdown}${events.join('')}${names}`.trim() === '')
    return refuse('empty', 'the message has no subject, text or attachments');
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

/**
 * The parts of a single message may be nested this deeply: alternatives (text and HTML) inside a part with inline
 * images, inside one with attachments, inside a signed one.
 */
const maxMimeDepth = 4;
const headerBytes = 16_384;

/** Returns null when the message is nested too deeply or exceeds a header limit. */
async function parseEmail(bytes: Uint8Array, { nesting, attachments }: Limits): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: nesting * maxMimeDepth,
      maxHeadersSize: attachments * headerBytes,
    });
  } catch (error) {
    // PostalMime has no error class for an exceeded limit, only this message.
    if (error instanceof Error && error.message.startsWith('Maximum')) return null;
    throw error;
  }
}
