import type { VaultPath } from '../vault/index.ts';
import type { SyncRepository } from './repository.ts';
import type { Side } from './travelling.ts';

/** What files were when they last came in, although the base has newer ones: they were left out since. */
export type Late = ReadonlyMap<VaultPath, string | null>;

export function withLate(files: Side, late: Late): Map<VaultPath, string> {
  const all = new Map(files);
  for (const [path, id] of late) {
    if (id === null) all.delete(path);
    else all.set(path, id);
  }
  return all;
}

export function lateAfter(base: Side, theirs: Side, isLeftOut: (path: VaultPath) => boolean): Late {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter(isLeftOut);
  return new Map(
    paths.filter((path) => base.get(path) !== theirs.get(path)).map((path) => [path, base.get(path) ?? null]),
  );
}

export async function readLate(repository: SyncRepository): Promise<Late> {
  const id = await repository.ref('late');
  if (id === null) return new Map();
  const text = (await repository.contents([id])).get(id)?.toString() ?? '[]';
  return new Map(JSON.parse(text) as [VaultPath, string | null][]);
}

export async function writeLate(repository: SyncRepository, late: Late): Promise<void> {
  const id = late.size === 0 ? null : await repository.keep(JSON.stringify([...late]));
  if (id !== (await repository.ref('late'))) await repository.setRefs({ late: id });
}
