import { fit } from './fit.ts';
import type { Conversion, Converter, ConvertOptions, Document, DocumentKind, Refusal } from './port.ts';
import { refuse } from './refusal.ts';

/** Kinds that a converter reads. */
export type ConvertedKind = Exclude<DocumentKind, 'image' | 'audio'>;

/** Loaded when needed: a text is read without PDFium. */
const converters: Record<ConvertedKind, () => Promise<Converter>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).convertPdf,
  docx: async () => (await import('./html/docx.ts')).convertDocx,
  html: async () => (await import('./html/html.ts')).convertHtml,
  email: async () => (await import('./mail/email.ts')).convertEmail,
  mailbox: async () => (await import('./mail/mailbox.ts')).convertMailbox,
  csv: async () => (await import('./table/csv.ts')).convertCsv,
  text: async () => (await import('./markdown/text.ts')).convertText,
  markdown: async () => (await import('./markdown/text.ts')).convertText,
};

/** Throws only when a converter cannot be loaded. */
export async function convert(
  kind: ConvertedKind,
  document: Document,
  options: ConvertOptions,
): Promise<Conversion | Refusal> {
  const converter = await converters[kind]();
  try {
    const outcome = await converter(document, options);
    return outcome.kind === 'refused' ? outcome : fit(outcome, options.limits);
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  const message = error instanceof RangeError ? error.message : '';
  if (message.includes('call stack')) return refuse('too-large', 'it is nested too deeply; simplify it');
  if (/allocation|string length|array length/i.test(message)) {
    return refuse('too-much-memory', 'it takes too much memory to read; split it');
  }
  return refuse('damaged', 'it cannot be read; open it in the program it was made with and save it anew');
}
