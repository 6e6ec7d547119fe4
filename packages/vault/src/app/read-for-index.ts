import type { DocumentService } from '../intake/index.ts';
import type { ReadDocument } from '../search/index.ts';

/** The text of a document for the index; empty if it has none or cannot be read, null without the required sandbox. */
export async function readForIndex(
  documents: Pick<DocumentService, 'readText'>,
  ...[document, signal]: Parameters<ReadDocument>
): ReturnType<ReadDocument> {
  const outcome = await documents.readText(document, { signal });
  if (outcome.kind === 'text') return outcome;
  return outcome.code === 'no-sandbox' ? null : { markdown: '' };
}
