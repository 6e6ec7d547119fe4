import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Built } from './candidate.ts';

const kept = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({
    kind: z.literal('built'),
    warnings: z.array(z.string()),
    // Null for the document itself.
    files: z.array(z.object({ name: z.string(), data: z.string().nullable() })),
  }),
]);

const mostBytes = 1_000_000_000;
const oldest = 7 * 24 * 3_600_000;

/** What documents were converted to, kept until the import is made: one that was killed goes on where it was. */
export type ConversionCache = {
  find(key: string, original: Uint8Array): Built | null;
  keep(key: string, original: Uint8Array, built: Built): void;
  /** Removes what was found or kept. */
  clear(): void;
};

export function openConversionCache(stateFolder: string, now: number): ConversionCache {
  const folder = join(stateFolder, 'imports');
  const used = new Set<string>();
  const fileOf = (key: string): string => join(folder, `${key}.json`);
  let left = mostBytes;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const { mtimeMs, size } = statSync(join(folder, name));
    if (now - mtimeMs > oldest) rmSync(join(folder, name), { force: true });
    else left -= size;
  }
  return {
    find(key, original) {
      const read = readKept(fileOf(key));
      if (read === null) return null;
      used.add(key);
      if (read.kind === 'refused') return read;
      const files = read.files.map(({ name, data }) => ({
        name,
        bytes: data === null ? original : Buffer.from(data, 'base64'),
      }));
      return { kind: 'built', files, warnings: read.warnings };
    },
    keep(key, original, built) {
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
      if (text.length > left) return;
      left -= text.length;
      used.add(key);
      const aside = `${fileOf(key)}.${process.pid}`;
      writeFileSync(aside, text, { mode: 0o600 });
      renameSync(aside, fileOf(key));
    },
    clear() {
      for (const key of used) rmSync(fileOf(key), { force: true });
    },
  };
}

/** Null when it is not there, or was damaged: then the document is converted once more. */
function readKept(file: string): z.infer<typeof kept> | null {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
