import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import type { Limits, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

const maxEntries = 10_000;

/** Unpacks a zip in memory. It counts the unpacked bytes, because the declared sizes are untrusted. */
export async function readZip(
  bytes: Uint8Array,
  limits: Pick<Limits, 'unpackedBytes'>,
  isWanted: (name: string) => boolean = () => true,
): Promise<Map<string, Buffer> | Rejection> {
  try {
    return await unpack(bytes, limits.unpackedBytes, isWanted);
  } catch {
    return refuse(
      'damaged',
      'the file cannot be unpacked; open it in the original program and save it again',
    );
  }
}

async function unpack(
  bytes: Uint8Array,
  maxBytes: number,
  isWanted: (name: string) => boolean,
): Promise<Map<string, Buffer> | Rejection> {
  // This also rejects names that are absolute or contain `..`.
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (zip.entryCount > maxEntries) {
    return refuse('too-large', `the archive has ${zip.entryCount} entries (limit ${maxEntries})`);
  }
  const names = new Set<string>();
  const parts = new Map<string, Buffer>();
  let left = maxBytes;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (names.has(name)) return refuse('damaged', `the file contains ${name} twice; save it again`);
    names.add(name);
    if (name.endsWith('/') || !isWanted(name)) continue;
    if (entry.isEncrypted())
      return refuse('encrypted', 'the file is password-protected; save it without a password');
    const part = await inflate(zip, entry, left);
    if (part === 'too-large') {
      return refuse('too-large', `the unpacked size exceeds ${Math.round(maxBytes / 1e6)} MB; split it`);
    }
    if (crc32(part) !== entry.crc32)
      return refuse('damaged', `${name} inside the file is damaged; save it again`);
    left -= part.length;
    parts.set(name, part);
  }
  return parts;
}

async function inflate(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
