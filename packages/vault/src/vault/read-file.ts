import { readImageHeader } from './image-header.ts';
import { fileKindOf } from './file-kind.ts';
import { baseName } from './path.ts';
import type { VaultPath } from './path.ts';
import { computeRevision } from './revision.ts';
import type { Revision } from './revision.ts';
import type { VaultView } from './vault-view.ts';

/** The content of a file with its revision and media type, or why it cannot be read. */
export type FileRead =
  | { kind: 'file'; bytes: Buffer; revision: Revision; mediaType: string }
  | { kind: 'folder' }
  | { kind: 'missing'; suggestion: VaultPath | null }
  | { kind: 'refused'; reason: string };

export async function readFile(view: VaultView, path: VaultPath): Promise<FileRead> {
  const read = await view.read(path);
  switch (read.kind) {
    case 'file':
      return { ...read, revision: computeRevision(read.bytes), mediaType: mediaTypeOf(path, read.bytes) };
    case 'missing':
      return { kind: 'missing', suggestion: await view.suggestPath(path) };
    case 'folder':
      return { kind: 'folder' };
    case 'refused':
      return read;
  }
}

/** Images are detected by their content, so that no other file is served as an image. */
function mediaTypeOf(path: VaultPath, bytes: Buffer): string {
  const kind = fileKindOf(baseName(path));
  if (kind === 'markdown') return 'text/markdown; charset=utf-8';
  const header = kind === 'image' ? readImageHeader(bytes) : null;
  return header === null ? 'application/octet-stream' : `image/${header.format}`;
}
