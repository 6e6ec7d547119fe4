import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib';

/** A file of the program; `name` is its path below the folder, with `/`. */
export type ArchivedFile = { name: string; mode: number; bytes: Buffer };

type IndexEntry = [name: string, size: number, mode: number];

/** Packs files: the length of the index as 4 bytes, the index as JSON, then the contents; compressed as a whole. */
export function packArchive(files: readonly ArchivedFile[], level = 12): Buffer {
  const index = files.map(({ name, bytes, mode }): IndexEntry => [name, bytes.length, mode]);
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return zstdCompressSync(Buffer.concat([length, head, ...files.map(({ bytes }) => bytes)]), {
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
}

export function readArchive(archive: Uint8Array): ArchivedFile[] {
  const raw = zstdDecompressSync(archive);
  let at = 4 + raw.readUInt32LE(0);
  const index = JSON.parse(raw.toString('utf8', 4, at)) as IndexEntry[];
  return index.map(([name, size, mode]) => {
    const bytes = raw.subarray(at, at + size);
    at += size;
    return { name, mode, bytes };
  });
}
