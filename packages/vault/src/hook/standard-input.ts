import { readSync } from 'node:fs';

/**
 * Standard input, read from its descriptor, since the stream of Node.js takes some milliseconds to load. The stream reads what is
 * left where the descriptor does not block.
 */
export async function* standardInput(
  openStream: () => NodeJS.ReadableStream,
): AsyncGenerator<Uint8Array | string> {
  const buffer = Buffer.alloc(65_536);
  try {
    for (let length = readSync(0, buffer); length > 0; length = readSync(0, buffer))
      yield Buffer.from(buffer.subarray(0, length));
  } catch {
    yield* openStream();
  }
}
