import { decodeText, parseChangelog, parseConflictMarkers } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { chunkFile } from './chunker.ts';
import type { Chunk } from './chunker.ts';

/** The chunks of a file, and the changelogs whose entries it replaces. */
export type FileChunks = { chunks: Chunk[]; replacesIn: Set<VaultPath> };

/** Null if the bytes are not text. */
export function chunkBytes(path: VaultPath, bytes: Buffer, layout: Layout): FileChunks | null {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') return null;
  const { text } = decoded;
  // A file with unresolved git conflict markers is not indexed, because neither side is known to be valid.
  if (parseConflictMarkers(text).length > 0) return { chunks: [], replacesIn: new Set() };
  const entries = layout.isChangelog(path) ? parseChangelog(text) : [];
  const replacesIn = new Set(entries.flatMap(({ replaces }) => replaces.map((named) => named.path)));
  return { chunks: chunkFile(path, text, layout), replacesIn };
}
