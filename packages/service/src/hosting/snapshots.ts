import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { parseRecordSeq } from './commit-log.ts';
import { HostingError } from './error.ts';
import type { RetainedSnapshots } from './snapshot-retention.ts';
import type { ObjectStore } from './object-store.ts';
import { hashContent, seal, unseal } from './sealing.ts';

const manifestSchema = z.object({
  version: z.literal(2),
  folders: z.array(z.object({ path: z.string(), mode: z.number() })),
  files: z.array(z.object({ path: z.string(), mode: z.number(), content: z.string() })),
  /** Objects that each contain the content of many files, one after the other. */
  packs: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      contents: z.array(z.object({ content: z.string(), at: z.number(), size: z.number() })),
    }),
  ),
});
type Manifest = z.infer<typeof manifestSchema>;
type Pack = Manifest['packs'][number];

/** The objects of one vault, and the epoch in which the caller owns it. */
type Parts = { store: ObjectStore; vault: string; key: Buffer; epoch: number };

/** Below this size, compressing synchronously is cheaper than using the thread pool. */
const maxSyncCompressionBytes = 16 * 1024;
const compressAsync = promisify(zstdCompress);
const decompressAsync = promisify(zstdDecompress);
const compress = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length < maxSyncCompressionBytes ? zstdCompressSync(bytes) : compressAsync(bytes);
const decompress = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length < maxSyncCompressionBytes ? zstdDecompressSync(bytes) : decompressAsync(bytes);
const targetPackBytes = 8 * 1024 * 1024;
/**
 * If more than this number of packs are smaller than this size, they are merged, because opening the vault fetches
 * every pack.
 */
const [maxSmallPacks, smallPackBytes] = [16, 1024 * 1024];

/**
 * Uploads a folder as a snapshot and returns its name. Packs of an earlier snapshot are reused. Object names are never
 * reused, so an object that no snapshot references can be deleted.
 */
export async function uploadSnapshot(
  parts: Parts,
  folder: string,
  baseSnapshot: string | null,
): Promise<string> {
  const { store, vault, key, epoch } = parts;
  const objectPrefix = `${vault}/${epoch}/${randomUUID()}`;
  const [folders, files]: [Manifest['folders'], Manifest['files']] = [[], []];
  for (const path of listPaths(folder)) {
    const mode = lstatSync(join(folder, path)).mode & 0o777;
    if (path.endsWith('/')) folders.push({ path, mode });
    else files.push({ path, mode, content: hashContent(key, await readFile(join(folder, path))) });
  }
  const needed = new Map(files.map(({ path, content }) => [content, path]));
  const packs =
    baseSnapshot === null ? [] : selectReusablePacks((await readManifest(parts, baseSnapshot)).packs, needed);
  for (const { content } of packs.flatMap(({ contents }) => contents)) needed.delete(content);

  let [packBuffers, packEntries]: [Buffer[], Pack['contents']] = [[], []];
  const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
  const close = async (): Promise<void> => {
    if (packBuffers.length === 0) return;
    const name = `${objectPrefix}/${packs.length}`;
    await store.put(name, seal(key, name, Buffer.concat(packBuffers)));
    packs.push({ name, size: sizeOf(packBuffers), contents: packEntries });
    [packBuffers, packEntries] = [[], []];
  };
  for (const [content, path] of needed) {
    const piece = await compress(await readFile(join(folder, path)));
    packEntries.push({ content, at: sizeOf(packBuffers), size: piece.length });
    packBuffers.push(piece);
    if (sizeOf(packBuffers) >= targetPackBytes) await close();
  }
  await close();
  const manifest: Manifest = { version: 2, folders, files, packs };
  const name = `${objectPrefix}/${manifestName}`;
  await store.put(name, seal(key, name, await compress(Buffer.from(JSON.stringify(manifest)))));
  return name;
}

/**
 * Publishes a snapshot under a name that says which record restored it. The name is authenticated with the content, so
 * the number cannot be changed in the database. Returns the name.
 */
export async function nameRestoredSnapshot(
  { store, key }: Omit<Parts, 'epoch'>,
  name: string,
  seq: number,
): Promise<string> {
  const restoredName = `${name.slice(0, -manifestName.length)}restored-${seq}/${manifestName}`;
  await store.put(restoredName, seal(key, restoredName, unseal(key, name, await store.get(name))));
  return restoredName;
}

/**
 * The number of the record that the vault has in this snapshot: 0 if it was registered with the snapshot, in epoch 0, or
 * the record that restored it. Null for a snapshot of the vault as it was, which contains its own position.
 */
export function parseSnapshotSeq(name: string): number | null {
  if (/^[^/]+\/0\//.test(name)) return 0;
  const seq = /\/restored-(\d+)\/manifest$/.exec(name)?.[1];
  return seq === undefined ? null : Number(seq);
}

/**
 * Selects the packs of which at least half is still needed. Omits all small ones if there are too many, so that their
 * files are packed again.
 */
function selectReusablePacks(packs: readonly Pack[], needed: ReadonlyMap<string, string>): Pack[] {
  const used = packs
    .map((pack) => ({ ...pack, contents: pack.contents.filter(({ content }) => needed.has(content)) }))
    .filter(({ contents, size }) => contents.reduce((sum, each) => sum + each.size, 0) * 2 >= size)
    .filter(({ contents }) => contents.length > 0);
  const isSmall = ({ size }: Pack): boolean => size < smallPackBytes;
  return used.filter(isSmall).length > maxSmallPacks ? used.filter((pack) => !isSmall(pack)) : used;
}

/** Restores a snapshot to a folder, which must not exist. */
export async function restoreSnapshot(
  parts: Omit<Parts, 'epoch'>,
  name: string,
  folder: string,
): Promise<void> {
  const { store, key } = parts;
  const { folders, files, packs } = await readManifest(parts, name);
  const places = new Map<string, Manifest['files']>();
  for (const file of files) places.set(file.content, [...(places.get(file.content) ?? []), file]);
  try {
    for (const { path } of folders) mkdirSync(join(folder, path), { recursive: true });
    for (const pack of packs) {
      const pieces = unseal(key, pack.name, await store.get(pack.name));
      for (const [index, { content, at, size }] of pack.contents.entries()) {
        // Lets the event loop answer other requests.
        if (index % 64 === 63) await setImmediate();
        const bytes = await decompress(pieces.subarray(at, at + size));
        if (hashContent(key, bytes) !== content)
          throw new HostingError('damaged', `checksum mismatch in ${pack.name}`);
        for (const { path, mode } of places.get(content) ?? []) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), bytes, { mode });
          chmodSync(join(folder, path), mode);
        }
        places.delete(content);
      }
    }
    for (const missing of places.values())
      throw new HostingError('damaged', `${missing[0]?.path} is missing in ${name}`);
    for (const { path, mode } of folders.toReversed()) chmodSync(join(folder, path), mode);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Deletes objects that no retained snapshot references, and log records that every retained snapshot includes. Leaves
 * objects of a later epoch alone, because this node may have lost the vault without knowing it.
 */
export async function deleteUnreferencedObjects(
  parts: Parts,
  { names, seq }: RetainedSnapshots,
): Promise<void> {
  const { store, vault, epoch } = parts;
  const referenced = new Set(names);
  for (const name of names)
    for (const pack of (await readManifest(parts, name)).packs) referenced.add(pack.name);
  for (const object of await store.list(`${vault}/`)) {
    const isFromLaterEpoch = Number(object.split('/')[1]) > epoch;
    const isUnsnapshottedRecord = (parseRecordSeq(object) ?? 0) > seq;
    if (!isFromLaterEpoch && !isUnsnapshottedRecord && !referenced.has(object)) await store.remove(object);
  }
}

const manifestName = 'manifest';

async function readManifest({ store, key }: Omit<Parts, 'epoch'>, name: string): Promise<Manifest> {
  const text = await decompress(unseal(key, name, await store.get(name)));
  return manifestSchema.parse(JSON.parse(String(text)));
}

/** Folders end with a slash and precede their contents. */
function listPaths(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((each) => {
    const path = below + each.name;
    if (each.isDirectory()) return [`${path}/`, ...listPaths(folder, `${path}/`)];
    return each.isFile() ? [path] : [];
  });
}
