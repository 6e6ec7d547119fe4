import { disarmMarkdown } from './markdown/disarm-markdown.ts';
import { enforceLimits } from './enforce-limits.ts';
import type { Conversion, Converter, ConvertOptions, Document, DocumentKind, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

/** Kinds of documents that a converter exists for. */
export type ConvertibleKind = Exclude<DocumentKind, 'image' | 'audio'>;

/** Loaded on demand, so that a text document does not load PDFium. */
const converters: Record<ConvertibleKind, () => Promise<Converter>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).convertPdf,
  docx: async () => (await import('./html/docx.ts')).convertDocx,
  html: async () => (await import('./html/html.ts')).convertHtml,
  email: async () => (await import('./mail/email.ts')).convertEmail,
  mailbox: async () => (await import('./mail/mailbox.ts')).convertMailbox,
  csv: async () => (await import('./table/csv.ts')).convertCsv,
  calendar: async () => (await import('./calendar/calendar.ts')).convertCalendar,
  text: async () => (await import('./markdown/text.ts')).convertText,
  markdown: async () => (await import('./markdown/text.ts')).convertText,
};

/** Throws only when a converter cannot be loaded. */
export async function convert(
  kind: ConvertibleKind,
  document: Document,
  options: ConvertOptions,
): Promise<Conversion | Rejection> {
  const converter = await converters[kind]();
  try {
    const outcome = await converter(document, options);
    return outcome.kind === 'refused' ? outcome : enforceLimits(disarm(kind, outcome), options);
  } catch (error) {
    return toRejection(error);
  }
}

/** Text and markdown files stay as they are: their author wrote markdown. */
function disarm(kind: ConvertibleKind, conversion: Conversion): Conversion {
  if (kind === 'text' || kind === 'markdown') return conversion;
  const { title, author, ...others } = conversion.metadata;
  return {
    ...conversion,
    markdown: disarmMarkdown(conversion.markdown),
    metadata: {
      ...others,
      ...(title !== undefined && { title: disarmMarkdown(title) }),
      ...(author !== undefined && { author: disarmMarkdown(author) }),
    },
  };
}

function toRejection(error: unknown): Rejection {
  const message = error instanceof RangeError ? error.message : '';
  if (message.includes('call stack'))
    return refuse('too-large', 'the document is nested too deeply; simplify it');
  if (/allocation|string length|array length/i.test(message)) {
    return refuse('too-much-memory', 'conversion needs too much memory; split the document');
  }
  return refuse('damaged', 'the file is damaged; open it in the original program and save it again');
}
