import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import type { Limits, Refusal } from './port.ts';
import { refuse } from './refusal.ts';

const mostParts = 10_000;

/** Unpacks a zip in memory. What it says of its sizes is not believed: bytes are counted as they come. */
export async function readZip(
  bytes: Uint8Array,
  limits: Pick<Limits, 'unpackedBytes'>,
  wanted: (name: string) => boolean = () => true,
): Promise<Map<string, Buffer> | Refusal> {
  try {
    return await unpack(bytes, limits.unpackedBytes, wanted);
  } catch {
    return refuse(
      'damaged',
      'it cannot be unpacked; open it in the program it was made with and save it anew',
    );
  }
}

async function unpack(
  bytes: Uint8Array,
  mostBytes: number,
  wanted: (name: string) => boolean,
): Promise<Map<string, Buffer> | Refusal> {
  // Refuses names that are absolute or hold `..`, too.
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (zip.entryCount > mostParts) {
    return refuse('too-large', `it consists of ${zip.entryCount} parts; at most ${mostParts} are unpacked`);
  }
  const names = new Set<string>();
  const parts = new Map<string, Buffer>();
  let left = mostBytes;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (names.has(name)) return refuse('damaged', `it holds ${name} twice; save it anew`);
    names.add(name);
    if (name.endsWith('/') || !wanted(name)) continue;
    if (entry.isEncrypted()) return refuse('encrypted', 'it opens with a password only; save it without one');
    const part = await inflate(zip, entry, left);
    if (part === 'too-large') {
      return refuse('too-large', `unpacked it is over ${Math.round(mostBytes / 1e6)} MB; split it`);
    }
    if (crc32(part) !== entry.crc32) return refuse('damaged', `${name} in it is damaged; save it anew`);
    left -= part.length;
    parts.set(name, part);
  }
  return parts;
}

async function inflate(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
