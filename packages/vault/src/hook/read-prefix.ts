import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads up to `maxBytes` from the start of a regular file. Throws for anything else: a pipe could block the hook for ever,
 * and a device could fill its memory.
 */
export function readPrefix(file: string, maxBytes: number): string {
  return readRange(file, maxBytes, () => 0);
}

/** Like `readPrefix`, from the end of the file. */
export function readSuffix(file: string, maxBytes: number): string {
  return readRange(file, maxBytes, (size) => Math.max(0, size - maxBytes));
}

function readRange(file: string, maxBytes: number, startOf: (size: number) => number): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error(`${file} is not a regular file`);
    const bytes = Buffer.alloc(maxBytes);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, maxBytes, startOf(stats.size)));
  } finally {
    closeSync(handle);
  }
}
