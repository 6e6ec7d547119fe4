import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads up to `maxBytes` from the start of a regular file. Throws for anything else: a pipe could block the hook for ever,
 * and a device could fill its memory.
 */
export function readPrefix(file: string, maxBytes: number): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) throw new Error(`${file} is not a regular file`);
    const bytes = Buffer.alloc(maxBytes);
    return bytes.toString('utf8', 0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
}
