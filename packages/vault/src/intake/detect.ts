import { detectContainer } from './container-formats.ts';
import type { Document, DocumentKind, Rejection } from './document.ts';
import { refuse } from './rejection.ts';
import { detectSignature } from './file-signatures.ts';
import { detectTextKind } from './text-kind.ts';

/**
 * Detects the kind from the bytes. The name is used only to tell kinds of text apart, because the same bytes may fit
 * several.
 */
export function detectKind(document: Document): DocumentKind | Rejection {
  const { bytes } = document;
  if (bytes.length === 0) return refuse('empty', 'the file is empty');
  const signature = detectSignature(bytes);
  if (signature !== null) return signature.kind === 'refused' ? signature : signature.kind;
  return (
    detectContainer(bytes) ??
    findPdfHeader(bytes) ??
    detectTextKind(document) ??
    refuse('unsupported', 'unsupported format; save it as PDF, .docx or UTF-8 text')
  );
}

/** A PDF header may follow other bytes. Text that only mentions the header has no PDF trailer. */
function findPdfHeader(bytes: Uint8Array): 'pdf' | null {
  const starts = Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
  return starts && Buffer.from(bytes.subarray(-2048)).includes('startxref') ? 'pdf' : null;
}
