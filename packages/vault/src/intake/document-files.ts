import { stringify } from 'yaml';
import { extensionOf } from '../vault/index.ts';
import { plainKinds } from './passthrough-kinds.ts';
import type { Conversion, DocumentKind, IntakeResult } from './document.ts';

/** A file as it will be stored in the vault. */
export type DocumentFile = { name: string; bytes: Uint8Array };

type ConvertedDocument = Omit<IntakeResult, 'outcome'> & { outcome: Conversion };

/**
 * Returns the files of a document and its attachments: the markdown, the images and the original, which the markdown links to. Rejected
 * documents are omitted.
 */
export function packDocument(result: IntakeResult, within?: string): DocumentFile[] {
  if (!isAccepted(result)) return [];
  const { document, stem, outcome, inside } = result;
  const note = `${stem}.md`;
  const pictures = outcome.images;
  const own = plainKinds.has(outcome.metadata.type)
    ? [
        ...(outcome.metadata.type === 'image' ? [] : [{ name: note, bytes: Buffer.from(outcome.markdown) }]),
        ...pictures,
      ]
    : [
        { name: note, bytes: Buffer.from(formatNote(result, within)) },
        ...pictures,
        { name: originalFileName(result), bytes: document.bytes },
      ];
  return [...own, ...inside.flatMap((each) => packDocument(each, note))];
}

function isAccepted(result: IntakeResult): result is ConvertedDocument {
  return result.outcome.kind === 'converted';
}

function originalFileName({ document, stem, outcome }: ConvertedDocument): string {
  return `${stem}${originalExtension(document.name, outcome.metadata.type)}`;
}

/** The extension under which the original of a document is stored. */
export function originalExtension(name: string, type: DocumentKind): string {
  return extensionOf(name) || endings[type] || '';
}

const endings: Partial<Record<DocumentKind, string>> = {
  pdf: '.pdf',
  docx: '.docx',
  html: '.html',
  email: '.eml',
  mailbox: '.mbox',
  csv: '.csv',
  calendar: '.ics',
};

function formatNote(result: ConvertedDocument, within: string | undefined): string {
  const { document, outcome, inside } = result;
  const { type, ...known } = outcome.metadata;
  const frontmatter = stringify({
    type,
    source: document.name,
    ...known,
    original: originalFileName(result),
    ...(within !== undefined && { attached_to: within }),
  });
  const attachments = inside.filter(isAccepted).map(formatAttachmentLink);
  const parts = [outcome.markdown.trim(), ...(attachments.length === 0 ? [] : [attachments.join('\n')])];
  return `---\n${frontmatter}---\n\n${parts.join('\n\n')}\n`;
}

/** Embeds an image; links to the note of any other attachment. */
function formatAttachmentLink({ document, stem, outcome }: ConvertedDocument): string {
  const label = document.name.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  const target = outcome.metadata.type === 'image' ? outcome.images[0]?.name : `${stem}.md`;
  return `- [${label}](${encodeURI(target ?? '')})`;
}
