import { findPages } from '../contract/index.ts';
import {
  baseName,
  computeRevision,
  computeTextStats,
  createBufferSource,
  formatBytes,
  hasOwnLines,
  once,
  splitLines,
} from '../vault/index.ts';
import type { LineRange, Revision, ViewFile } from '../vault/index.ts';
import type { DocumentResult, DocumentText, DocumentVersion } from './document-texts.ts';

/** The lines of a file: its own, or those extracted from a document. The revision is always that of the bytes of the file. */
export type TextFile = Pick<ViewFile, 'path' | 'source' | 'measure'> & { extracted: Extraction | null };

/** Where extracted lines come from. */
export type Extraction = {
  revision: Revision;
  /** The number of pages of a PDF; null for other documents. */
  pages: number | null;
  /** What was lost, as sentences. */
  warnings: readonly string[];
  /** The pages of a PDF that these lines are on; null for other documents. */
  pagesOf(lines: LineRange): LineRange | null;
};

export type OpenedText =
  | { kind: 'text'; file: TextFile }
  /** The revision is empty if the document is too large to be read. */
  | { kind: 'no-text'; revision: Revision; reason: string }
  | { kind: 'unavailable'; reason: string };

/** Larger documents are not read. */
const maxDocumentBytes = 20_000_000;

/** Opens the lines of a file, so that all readers count the same lines. `readDocument` gets the text of a document. */
export async function openText(
  file: ViewFile,
  readDocument: (document: DocumentVersion) => Promise<DocumentResult>,
): Promise<OpenedText> {
  const { path, source, measure } = file;
  if (await hasOwnLines(file)) return { kind: 'text', file: { path, source, measure, extracted: null } };
  if (source.size > maxDocumentBytes)
    return {
      kind: 'no-text',
      revision: '' as Revision,
      reason: `it is ${formatBytes(source.size)}, and documents over 20 MB are not read; split it`,
    };
  const bytes = await source.read(0, source.size);
  const revision = computeRevision(bytes);
  const result = await readDocument({ name: baseName(path), bytes, revision });
  switch (result.kind) {
    case 'text':
      return { kind: 'text', file: { path, ...toLines(result, revision) } };
    case 'no-text':
      return { ...result, revision };
    case 'unavailable':
      return result;
  }
}

function toLines(
  { text, pages, warnings }: Extract<DocumentText, { kind: 'text' }>,
  revision: Revision,
): Omit<TextFile, 'path'> {
  const bytes = Buffer.from(text);
  const split = once(() => splitLines(text));
  const pagesOf = (lines: LineRange): LineRange | null => (pages === null ? null : findPages(split(), lines));
  return {
    source: createBufferSource(bytes),
    measure: async () => {
      const stats = computeTextStats(bytes);
      return stats && { ...stats, revision };
    },
    extracted: { revision, pages, warnings, pagesOf },
  };
}
