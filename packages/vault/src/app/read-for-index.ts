import type { DocumentService } from '../intake/index.ts';
import type { ReadDocument } from '../search/index.ts';

/** Extracts the text of a document for the index. */
export async function readForIndex(
  documents: Pick<DocumentService, 'readText'>,
  ...[document, signal]: Parameters<ReadDocument>
): ReturnType<ReadDocument> {
  const outcome = await documents.readText(document, { signal });
  if (outcome.kind === 'text') {
    const { markdown, pages, warnings } = outcome;
    return { kind: 'text', text: markdown.trim(), pages, warnings };
  }
  return { kind: outcome.code === 'no-sandbox' ? 'unavailable' : 'no-text', reason: outcome.reason };
}
