import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';

const readFd = promisify(read);

/** Random access to bytes without loading all of them: an open file, or text in memory. */
export type ByteSource = {
  readonly size: number;
  /** Reads from `position`; returns fewer than `length` bytes only at the end. Fills `buffer` if it is given. */
  read(position: number, length: number, buffer?: Buffer): Promise<Buffer>;
};

export function createBufferSource(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
  };
}

export function createFileSource(fd: number, size: number): ByteSource {
  return {
    size,
    read: async (position, length, target) => {
      const byteCount = Math.max(0, Math.min(length, size - position));
      const buffer = target?.subarray(0, byteCount) ?? Buffer.allocUnsafe(byteCount);
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

const chunkBytes = 512 * 1024;

/**
 * Calls `visit` for each chunk until it returns false. A chunk is valid only during the call. Other work runs between
 * the chunks, so they have to be small if a visit takes long.
 */
export async function forEachChunk(
  source: ByteSource,
  visit: (bytes: Buffer, position: number) => boolean | void,
  maxBytes = chunkBytes,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(maxBytes, source.size));
  for (let position = 0; position < source.size;) {
    const bytes = await source.read(position, maxBytes, buffer);
    if (bytes.length === 0 || visit(bytes, position) === false) return;
    position += bytes.length;
  }
}

/** Reads the first bytes of an open file synchronously, regardless of the position of its descriptor. */
export function readPrefixSync(fd: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
