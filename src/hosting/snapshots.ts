import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { HostingError } from './error.ts';
import type { ObjectStore } from './object-store.ts';
import { nameOfContent, seal, unseal } from './sealing.ts';

const manifest = z.object({
  version: z.literal(1),
  folders: z.array(z.object({ path: z.string(), mode: z.number() })),
  files: z.array(z.object({ path: z.string(), mode: z.number(), content: z.string() })),
});
type Manifest = z.infer<typeof manifest>;

/** A vault as it lies in the object store: a list of files, and each content once, however many snapshots have it. */
type Parts = { store: ObjectStore; vault: string; key: Buffer };

/** Keeps a folder as it is, and gives the name under which it can be had again. What an earlier snapshot has is not sent again. */
export async function keepSnapshot(
  { store, vault, key }: Parts,
  folder: string,
  earlier: string | null,
): Promise<string> {
  const known = new Set(
    earlier === null
      ? []
      : (await readManifest({ store, vault, key }, earlier)).files.map(({ content }) => content),
  );
  const kept: Manifest = { version: 1, folders: [], files: [] };
  for (const path of pathsIn(folder)) {
    const from = join(folder, path);
    const { mode } = lstatSync(from);
    if (path.endsWith('/')) {
      kept.folders.push({ path, mode: mode & 0o777 });
      continue;
    }
    const bytes = readFileSync(from);
    const content = nameOfContent(key, bytes);
    if (!known.has(content))
      await store.put(
        contentName(vault, content),
        seal(key, contentName(vault, content), zstdCompressSync(bytes)),
      );
    known.add(content);
    kept.files.push({ path, mode: mode & 0o777, content });
  }
  const text = Buffer.from(JSON.stringify(kept));
  const name = `${vault}/snapshots/${nameOfContent(key, text)}`;
  await store.put(name, seal(key, name, zstdCompressSync(text)));
  return name;
}

/** Lays a snapshot down in a folder that is not there yet. */
export async function layDownSnapshot(parts: Parts, name: string, folder: string): Promise<void> {
  const { store, vault, key } = parts;
  const { folders, files } = await readManifest(parts, name);
  try {
    for (const { path } of folders) mkdirSync(join(folder, path), { recursive: true });
    for (const { path, mode, content } of files) {
      const sealed = await store.get(contentName(vault, content));
      const bytes = zstdDecompressSync(unseal(key, contentName(vault, content), sealed));
      if (nameOfContent(key, bytes) !== content)
        throw new HostingError('damaged', `${path} in ${name} is not what was kept`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, { mode });
      chmodSync(join(folder, path), mode);
    }
    for (const { path, mode } of folders.toReversed()) chmodSync(join(folder, path), mode);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function readManifest({ store, key }: Parts, name: string): Promise<Manifest> {
  const text = zstdDecompressSync(unseal(key, name, await store.get(name)));
  return manifest.parse(JSON.parse(String(text)));
}

function contentName(vault: string, content: string): string {
  return `${vault}/contents/${content}`;
}

/** Folders end with a slash and come before what is in them. */
function pathsIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((each) => {
    const path = below + each.name;
    if (each.isDirectory()) return [`${path}/`, ...pathsIn(folder, `${path}/`)];
    return each.isFile() ? [path] : [];
  });
}
