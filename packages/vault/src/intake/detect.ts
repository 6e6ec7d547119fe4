import { packageKindOf } from './packages.ts';
import type { Document, DocumentKind, Refusal } from './port.ts';
import { refuse } from './refusal.ts';
import { signatureOf } from './signatures.ts';
import { textKindOf } from './text-kind.ts';

/** Decided by the bytes. The name counts only between kinds of text, whose bytes may be those of several. */
export function detectKind(document: Document): DocumentKind | Refusal {
  const { bytes } = document;
  if (bytes.length === 0) return refuse('empty', 'there is nothing in it');
  const signature = signatureOf(bytes);
  if (signature !== null) return signature.kind === 'refused' ? signature : signature.kind;
  return (
    packageKindOf(bytes) ??
    pdfWithin(bytes) ??
    textKindOf(document) ??
    refuse('unsupported', 'it is nothing that can be read here; save it as PDF, .docx or text in UTF-8')
  );
}

/** A PDF may start late, but text that speaks of one does not end like one. */
function pdfWithin(bytes: Uint8Array): 'pdf' | null {
  const starts = Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
  return starts && Buffer.from(bytes.subarray(-2048)).includes('startxref') ? 'pdf' : null;
}
