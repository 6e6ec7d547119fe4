import { kindOf, largestText, nameOf, readImageHeader, revisionOf, showBytes } from '../vault/index.ts';
import type { Revision, VaultPath, VaultView } from '../vault/index.ts';

/** A file as it is, byte for byte; or why it cannot be had. */
export type FileRead =
  | { kind: 'file'; bytes: Buffer; revision: Revision; mediaType: string }
  | { kind: 'folder' }
  | { kind: 'missing'; closest: VaultPath | null }
  | { kind: 'refused'; reason: string };

export async function readFile(view: VaultView, path: VaultPath): Promise<FileRead> {
  const read = await view.look(path, async (viewed): Promise<FileRead> => {
    if (viewed.kind === 'missing') return { kind: 'missing', closest: null };
    if (viewed.kind !== 'file') return viewed.kind === 'folder' ? { kind: 'folder' } : viewed;
    const { source } = viewed;
    if (source.size > largestText)
      return { kind: 'refused', reason: `it is ${showBytes(source.size)}, over 20 MB` };
    const bytes = await source.read(0, source.size);
    return { kind: 'file', bytes, revision: revisionOf(bytes), mediaType: mediaTypeOf(path, bytes) };
  });
  return read.kind === 'missing' ? { kind: 'missing', closest: await view.closest(path) } : read;
}

/** By its bytes where it says that it is an image: nothing but an image is ever handed out as one. */
function mediaTypeOf(path: VaultPath, bytes: Buffer): string {
  const kind = kindOf(nameOf(path));
  if (kind === 'markdown') return 'text/markdown; charset=utf-8';
  const header = kind === 'image' ? readImageHeader(bytes) : null;
  return header === null ? 'application/octet-stream' : `image/${header.format}`;
}
