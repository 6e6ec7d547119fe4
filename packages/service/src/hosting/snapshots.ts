import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { recordIn } from './commit-log.ts';
import { HostingError } from './error.ts';
import type { Kept } from './kept-snapshots.ts';
import type { ObjectStore } from './object-store.ts';
import { nameOfContent, seal, unseal } from './sealing.ts';

const manifest = z.object({
  version: z.literal(2),
  folders: z.array(z.object({ path: z.string(), mode: z.number() })),
  files: z.array(z.object({ path: z.string(), mode: z.number(), content: z.string() })),
  /** Objects that hold many contents each, packed one after the other. */
  packs: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      contents: z.array(z.object({ content: z.string(), at: z.number(), size: z.number() })),
    }),
  ),
});
type Manifest = z.infer<typeof manifest>;
type Pack = Manifest['packs'][number];

/** Of one vault, as the node has it that claimed it in this epoch. */
type Parts = { store: ObjectStore; vault: string; key: Buffer; epoch: number };

/** Of less than this more is to be done for having it done elsewhere. */
const short = 16 * 1024;
const compressElsewhere = promisify(zstdCompress);
const decompressElsewhere = promisify(zstdDecompress);
const compress = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length < short ? zstdCompressSync(bytes) : compressElsewhere(bytes);
const decompress = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length < short ? zstdDecompressSync(bytes) : decompressElsewhere(bytes);
const packSize = 8 * 1024 * 1024;
/** More packs than these that are smaller than this become one: who opens the vault fetches each of them. */
const [mostSmall, small] = [16, 1024 * 1024];

/**
 * Keeps a folder as it is, and gives the name under which it can be had again. What an earlier snapshot has is not sent again.
 * Every object gets a name that none ever had: what no snapshot names any more is never named again, and can be removed.
 */
export async function keepSnapshot(parts: Parts, folder: string, earlier: string | null): Promise<string> {
  const { store, vault, key, epoch } = parts;
  const attempt = `${vault}/${epoch}/${randomUUID()}`;
  const [folders, files]: [Manifest['folders'], Manifest['files']] = [[], []];
  for (const path of pathsIn(folder)) {
    const mode = lstatSync(join(folder, path)).mode & 0o777;
    if (path.endsWith('/')) folders.push({ path, mode });
    else files.push({ path, mode, content: nameOfContent(key, await readFile(join(folder, path))) });
  }
  const needed = new Map(files.map(({ path, content }) => [content, path]));
  const packs = earlier === null ? [] : worthKeeping((await readManifest(parts, earlier)).packs, needed);
  for (const { content } of packs.flatMap(({ contents }) => contents)) needed.delete(content);

  let [open, parted]: [Buffer[], Pack['contents']] = [[], []];
  const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
  const close = async (): Promise<void> => {
    if (open.length === 0) return;
    const name = `${attempt}/${packs.length}`;
    await store.put(name, seal(key, name, Buffer.concat(open)));
    packs.push({ name, size: sizeOf(open), contents: parted });
    [open, parted] = [[], []];
  };
  for (const [content, path] of needed) {
    const piece = await compress(await readFile(join(folder, path)));
    parted.push({ content, at: sizeOf(open), size: piece.length });
    open.push(piece);
    if (sizeOf(open) >= packSize) await close();
  }
  await close();
  const kept: Manifest = { version: 2, folders, files, packs };
  const name = `${attempt}/${manifestName}`;
  await store.put(name, seal(key, name, await compress(Buffer.from(JSON.stringify(kept)))));
  return name;
}

/** Those of which at least half is still needed, and not too many small ones. */
function worthKeeping(packs: readonly Pack[], needed: ReadonlyMap<string, string>): Pack[] {
  const used = packs
    .map((pack) => ({ ...pack, contents: pack.contents.filter(({ content }) => needed.has(content)) }))
    .filter(({ contents, size }) => contents.reduce((sum, each) => sum + each.size, 0) * 2 >= size)
    .filter(({ contents }) => contents.length > 0);
  const isSmall = ({ size }: Pack): boolean => size < small;
  return used.filter(isSmall).length > mostSmall ? used.filter((pack) => !isSmall(pack)) : used;
}

/** Lays a snapshot down in a folder that is not there yet. */
export async function layDownSnapshot(
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
        // Others are answered meanwhile.
        if (index % 64 === 63) await setImmediate();
        const bytes = await decompress(pieces.subarray(at, at + size));
        if (nameOfContent(key, bytes) !== content)
          throw new HostingError('damaged', `${pack.name} holds something else than was kept`);
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
 * Removes what nobody needs: what no kept snapshot names, and records that all of them have in them. What a later epoch put there
 * is left alone: whoever has lost the vault may still be at work here.
 */
export async function removeUnnamed(parts: Parts, { names, seq }: Kept): Promise<void> {
  const { store, vault, epoch } = parts;
  const named = new Set(names);
  for (const name of names) for (const pack of (await readManifest(parts, name)).packs) named.add(pack.name);
  for (const object of await store.list(`${vault}/`)) {
    const isOfLater = Number(object.split('/')[1]) > epoch;
    const isAwaited = (recordIn(object) ?? 0) > seq;
    if (!isOfLater && !isAwaited && !named.has(object)) await store.remove(object);
  }
}

const manifestName = 'manifest';

async function readManifest({ store, key }: Omit<Parts, 'epoch'>, name: string): Promise<Manifest> {
  const text = await decompress(unseal(key, name, await store.get(name)));
  return manifest.parse(JSON.parse(String(text)));
}

/** Folders end with a slash and come before what is in them. */
function pathsIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((each) => {
    const path = below + each.name;
    if (each.isDirectory()) return [`${path}/`, ...pathsIn(folder, `${path}/`)];
    return each.isFile() ? [path] : [];
  });
}
