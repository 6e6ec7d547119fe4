import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ItemBuild } from './candidate.ts';

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({
    kind: z.literal('built'),
    warnings: z.array(z.string()),
    // `data` is null for the original document, which is not stored again.
    files: z.array(z.object({ name: z.string(), data: z.string().nullable() })),
  }),
]);

const maxCacheBytes = 1_000_000_000;
const maxAgeMs = 7 * 24 * 3_600_000;

/** Stores converted documents until the import is committed, so that an import that was killed can resume. */
export type ConversionCache = {
  get(key: string, original: Uint8Array): ItemBuild | null;
  set(key: string, original: Uint8Array, built: ItemBuild): void;
  /** Deletes the entries that were read or written. */
  clear(): void;
};

export function openConversionCache(stateFolder: string, now: number): ConversionCache {
  const folder = join(stateFolder, 'imports');
  const used = new Set<string>();
  const fileOf = (key: string): string => join(folder, `${key}.json`);
  let remainingBytes = maxCacheBytes;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const { mtimeMs, size } = statSync(join(folder, name));
    if (now - mtimeMs > maxAgeMs) rmSync(join(folder, name), { force: true });
    else remainingBytes -= size;
  }
  return {
    get(key, original) {
      const read = readEntry(fileOf(key));
      if (read === null) return null;
      used.add(key);
      if (read.kind === 'refused') return read;
      const files = read.files.map(({ name, data }) => ({
        name,
        bytes: data === null ? original : Buffer.from(data, 'base64'),
      }));
      return { kind: 'built', files, warnings: read.warnings };
    },
    set(key, original, built) {
      const text = JSON.stringify(
        built.kind === 'refused'
          ? built
          : {
              ...built,
              files: built.files.map(({ name, bytes }) => ({
                name,
                data: bytes === original ? null : Buffer.from(bytes).toString('base64'),
              })),
            },
      );
      if (text.length > remainingBytes) return;
      remainingBytes -= text.length;
      used.add(key);
      const temporaryFile = `${fileOf(key)}.${process.pid}`;
      writeFileSync(temporaryFile, text, { mode: 0o600 });
      renameSync(temporaryFile, fileOf(key));
    },
    clear() {
      for (const key of used) rmSync(fileOf(key), { force: true });
    },
  };
}

/** Null if the entry is missing or damaged; the document is then converted again. */
function readEntry(file: string): z.infer<typeof entrySchema> | null {
  try {
    return entrySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
