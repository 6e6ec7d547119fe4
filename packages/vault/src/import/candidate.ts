import { createHash } from 'node:crypto';
import type { DocumentFile } from '../intake/index.ts';
import type { NamedItem } from './assign-names.ts';

/** Categories of imported items, for the totals of the report. */
export const itemCategories = ['notes', 'conversations', 'documents', 'pictures', 'attachments'] as const;
export type ItemCategory = (typeof itemCategories)[number];

/** Rewrites the links of a note to the new paths of their targets, and returns the ids of the referenced items. */
export type LinkRewriter = (text: string, note: string) => { text: string; references: string[] };

/** The files of an item, or the reason why there are none. `original` can still be kept if a note references the item. */
export type ItemBuild =
  | { kind: 'built'; files: DocumentFile[]; warnings: string[] }
  | { kind: 'refused'; reason: string; original?: DocumentFile };

/** An item that may be imported: a note, a document, a conversation or an email message. */
export type Candidate = NamedItem & {
  digest: string;
  category: ItemCategory;
  bytes: number;
  /** The path by which links in the source refer to it; null if links cannot refer to it. */
  linkPath: string | null;
  /** The path that links to the item should point to. */
  linkTarget: (name: string) => string;
  /** The reason for skipping the item unless a note references it; null if it is always imported. */
  skipReasonUnlessReferenced: string | null;
  /** The text whose references `rewrite` finds; null if the item contains no links. */
  text: string | null;
  build: (name: string, rewrite: LinkRewriter) => Promise<ItemBuild>;
};

export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
