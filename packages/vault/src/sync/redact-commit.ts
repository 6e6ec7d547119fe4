import type { VaultPath } from '../vault/index.ts';
import { maxBufferedBytes } from './commit-vault.ts';
import type { SyncRepository } from './sync-repository.ts';
import { isOwnFile, parseTree } from './syncable-files.ts';
import type { FileIds } from './syncable-files.ts';

/**
 * Removes forgotten words from a file: returns its new path and content, both unchanged if it does not contain the
 * words, or null if the file has to go.
 */
export type RedactFile = (file: {
  path: VaultPath;
  bytes: Buffer;
}) => { path: VaultPath; bytes: Buffer } | null;

type Parts = { repository: SyncRepository; machine: string; at: number };

/** Adds a commit without the words on top of this one and returns it; the commit itself if it does not contain them. */
export async function redactCommit(parts: Parts, commit: string, redact: RedactFile): Promise<string> {
  const { repository, machine, at } = parts;
  let result = commit;
  for await (const files of redactFiles(repository, commit, redact))
    if (files.length > 0)
      result = await repository.commit({ parent: result, machine, at, files, ref: 'redacted' });
  return result;
}

/** The files of a commit that contain the words, by their current paths, and all its files. */
export async function findRedacted(
  repository: SyncRepository,
  commit: string,
  redact: RedactFile,
): Promise<{ redacted: VaultPath[]; all: FileIds }> {
  const { files: all } = parseTree(await repository.tree(commit));
  const redacted: VaultPath[] = [];
  for await (const files of redactFiles(repository, commit, redact))
    redacted.push(...files.map(({ path }) => path).filter((path) => all.has(path)));
  return { redacted, all };
}

async function* redactFiles(
  repository: SyncRepository,
  commit: string,
  redact: RedactFile,
): AsyncGenerator<{ path: VaultPath; after: Buffer | null }[]> {
  const rows = [...(await repository.tree(commit))].filter(
    ([name, { mode }]) => mode.startsWith('100') && !isOwnFile(name),
  );
  for await (const batch of readInBatches(repository, rows))
    yield batch.flatMap(({ path, bytes }) => {
      const redacted = redact({ path, bytes });
      if (redacted === null) return [{ path, after: null }];
      const isMoved = redacted.path !== path;
      if (!isMoved && redacted.bytes.equals(bytes)) return [];
      const after = { path: redacted.path, after: redacted.bytes };
      return isMoved ? [{ path, after: null }, after] : [after];
    });
}

/** Returns the id of the blob without the words; null if the blob is gone or has to go. */
export async function redactBlob(
  repository: SyncRepository,
  file: { path: VaultPath; id: string },
  redact: RedactFile,
): Promise<string | null> {
  const bytes = (await repository.contents([file.id])).get(file.id);
  const redacted = bytes === undefined ? null : redact({ path: file.path, bytes });
  return redacted === null ? null : repository.writeBlob(redacted.bytes);
}

async function* readInBatches(
  repository: SyncRepository,
  rows: readonly (readonly [string, { id: string }])[],
): AsyncGenerator<{ path: VaultPath; bytes: Buffer }[]> {
  const sizes = await repository.sizes(rows.map(([, { id }]) => id));
  for (let from = 0; from < rows.length;) {
    let to = from;
    for (let bytes = 0; to < rows.length && (to === from || bytes < maxBufferedBytes); to += 1)
      bytes += sizes[to] ?? 0;
    const batch = rows.slice(from, to);
    const contents = await repository.contents([...new Set(batch.map(([, { id }]) => id))]);
    yield batch.map(([name, { id }]) => ({
      path: `vault/${name}` as VaultPath,
      bytes: contents.get(id) ?? Buffer.alloc(0),
    }));
    from = to;
  }
}
