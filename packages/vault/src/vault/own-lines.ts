import { isDocumentName, isPlainTextName } from './file-kind.ts';
import { baseName, formatPath } from './path.ts';
import type { VaultPath } from './path.ts';
import type { ViewFile } from './vault-view.ts';

/**
 * Whether the lines of a file are those of its bytes. The lines of a document, such as a PDF, are extracted from it. Text in UTF-8 is
 * read as it is, also CSV, so that its lines have the numbers that any editor shows.
 */
export async function hasOwnLines({ path, fileKind, source, measure }: ViewFile): Promise<boolean> {
  if (fileKind !== 'other') return true;
  const name = baseName(path);
  const head = await source.read(0, pdfHeader.length);
  if (head.toString('latin1') === pdfHeader) return false;
  return !isDocumentName(name) || (isPlainTextName(name) && (await measure()) !== null);
}

const pdfHeader = '%PDF-';

/** Names a document that has no lines. */
export function formatDocumentLine(path: VaultPath, reason: string): string {
  return `[document ${formatPath(path)} · ${reason}]`;
}
