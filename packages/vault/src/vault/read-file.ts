import { readImageHeader } from './image.ts';
import { kindOf } from './kind.ts';
import { nameOf } from './path.ts';
import type { VaultPath } from './path.ts';
import { revisionOf } from './revision.ts';
import type { Revision } from './revision.ts';
import type { VaultView } from './view.ts';

/** A file byte for byte, with what a program needs to hand it on; or why it cannot be had. */
export type FileRead =
  | { kind: 'file'; bytes: Buffer; revision: Revision; mediaType: string }
  | { kind: 'folder' }
  | { kind: 'missing'; closest: VaultPath | null }
  | { kind: 'refused'; reason: string };

export async function readFile(view: VaultView, path: VaultPath): Promise<FileRead> {
  const read = await view.read(path);
  switch (read.kind) {
    case 'file':
      return { ...read, revision: revisionOf(read.bytes), mediaType: mediaTypeOf(path, read.bytes) };
    case 'missing':
      return { kind: 'missing', closest: await view.closest(path) };
    case 'folder':
      return { kind: 'folder' };
    case 'refused':
      return read;
  }
}

/** By its bytes where it says that it is an image: nothing but an image is ever handed out as one. */
function mediaTypeOf(path: VaultPath, bytes: Buffer): string {
  const kind = kindOf(nameOf(path));
  if (kind === 'markdown') return 'text/markdown; charset=utf-8';
  const header = kind === 'image' ? readImageHeader(bytes) : null;
  return header === null ? 'application/octet-stream' : `image/${header.format}`;
}
