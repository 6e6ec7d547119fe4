import { readSync } from 'node:fs';

/**
 * Reads standard input synchronously from its descriptor, because loading Node.js's stream takes a few milliseconds.
 * The stream reads the rest if the descriptor is non-blocking.
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
