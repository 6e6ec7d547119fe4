import { stringify } from 'yaml';
import { endingOf } from '../vault/index.ts';
import { plainKinds } from './plain-kinds.ts';
import type { Conversion, DocumentKind, Taken } from './port.ts';

/** A file as it will lie in the vault. */
export type PackedFile = { name: string; bytes: Uint8Array };

type Accepted = Omit<Taken, 'outcome'> & { outcome: Conversion };

/**
 * The files of a document that was taken in, and of what lay in it: its markdown, its pictures and the original, which
 * the markdown names. Whatever was refused is left out.
 */
export function packDocument(taken: Taken, within?: string): PackedFile[] {
  if (!isAccepted(taken)) return [];
  const { document, stem, outcome, inside } = taken;
  const note = `${stem}.md`;
  const pictures = outcome.images;
  const own = plainKinds.has(outcome.metadata.type)
    ? [
        ...(outcome.metadata.type === 'image' ? [] : [{ name: note, bytes: Buffer.from(outcome.markdown) }]),
        ...pictures,
      ]
    : [
        { name: note, bytes: Buffer.from(noteOf(taken, within)) },
        ...pictures,
        { name: originalName(taken), bytes: document.bytes },
      ];
  return [...own, ...inside.flatMap((each) => packDocument(each, note))];
}

function isAccepted(taken: Taken): taken is Accepted {
  return taken.outcome.kind === 'converted';
}

function originalName({ document, stem, outcome }: Accepted): string {
  return `${stem}${endingOf(document.name) || endings[outcome.metadata.type] || ''}`;
}

const endings: Partial<Record<DocumentKind, string>> = {
  pdf: '.pdf',
  docx: '.docx',
  html: '.html',
  email: '.eml',
  mailbox: '.mbox',
  csv: '.csv',
};

function noteOf(taken: Accepted, within: string | undefined): string {
  const { document, outcome, inside } = taken;
  const { type, ...known } = outcome.metadata;
  const frontmatter = stringify({
    type,
    source: document.name,
    ...known,
    original: originalName(taken),
    ...(within !== undefined && { attached_to: within }),
  });
  const attachments = inside.filter(isAccepted).map(attachmentLine);
  const parts = [outcome.markdown.trim(), ...(attachments.length === 0 ? [] : [attachments.join('\n')])];
  return `---\n${frontmatter}---\n\n${parts.join('\n\n')}\n`;
}

/** A picture is shown where it is linked; everything else that was attached has a note of its own. */
function attachmentLine({ document, stem, outcome }: Accepted): string {
  const label = document.name.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  const target = outcome.metadata.type === 'image' ? outcome.images[0]?.name : `${stem}.md`;
  return `- [${label}](${encodeURI(target ?? '')})`;
}
