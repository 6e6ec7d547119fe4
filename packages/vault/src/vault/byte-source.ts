import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';

const readFd = promisify(read);

/** Bytes that can be read from anywhere without holding them all: an open file, or text in memory. */
export type ByteSource = {
  readonly size: number;
  /** The bytes from `position`, fewer than `length` only at the end; put into `space` when some is given. */
  read(position: number, length: number, space?: Buffer): Promise<Buffer>;
};

export function bytesSource(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
  };
}

export function fileSource(fd: number, size: number): ByteSource {
  return {
    size,
    read: async (position, length, space) => {
      const wanted = Math.max(0, Math.min(length, size - position));
      const buffer = space?.subarray(0, wanted) ?? Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await readFd(fd, buffer, filled, buffer.length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
  };
}

const chunkSize = 512 * 1024;

/** Hands over the source piece by piece, until `visit` returns false. A piece is valid only during its visit. */
export async function eachChunk(
  source: ByteSource,
  visit: (bytes: Buffer, position: number) => boolean | void,
): Promise<void> {
  const space = Buffer.allocUnsafe(Math.min(chunkSize, source.size));
  for (let position = 0; position < source.size;) {
    const bytes = await source.read(position, chunkSize, space);
    if (bytes.length === 0 || visit(bytes, position) === false) return;
    position += bytes.length;
  }
}

/** The first bytes of an open file, at once, wherever its descriptor stands. */
export function readStart(fd: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
