import { createHash } from 'node:crypto';
import type { PackedFile } from '../intake/index.ts';
import type { Named } from './name-files.ts';

/** What becomes of something, as it is counted. */
export const itemSorts = ['notes', 'conversations', 'documents', 'pictures', 'attachments'] as const;
export type ItemSort = (typeof itemSorts)[number];

/** Makes the links of a note lead to where their files go. */
export type Rewrite = (text: string, note: string) => { text: string; referred: string[] };

/** The files of an item, or why there are none; `original` is what can be kept all the same, where a note refers to it. */
export type Built =
  | { kind: 'built'; files: PackedFile[]; warnings: string[] }
  | { kind: 'refused'; reason: string; original?: PackedFile };

/** Something that may be imported: a note, a document, a conversation, a message. */
export type Candidate = Named & {
  digest: string;
  sort: ItemSort;
  bytes: number;
  /** How links name it: where it is in the source. */
  linkedAs: string | null;
  /** The name of what links to it should lead to. */
  linkTarget: (name: string) => string;
  /** Why it is left out unless a note refers to it; null for what is taken anyway. */
  onlyIfReferred: string | null;
  /** What it refers to is found while `rewrite` is applied; null for what refers to nothing. */
  text: string | null;
  build: (name: string, rewrite: Rewrite) => Promise<Built>;
};

export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
