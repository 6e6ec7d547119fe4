import type { Changes } from '../changes/index.ts';
import { findFolder } from '../vault/index.ts';
import type { Catalogue, VaultPath } from '../vault/index.ts';
import { findFolderMoves, findSwaps, followMoves, noMoves } from './moves.ts';
import type { Move, Moves } from './moves.ts';
import { readPosition } from './sync-position.ts';
import type { SyncRepository } from './sync-repository.ts';
import { parseName } from './syncable-files.ts';
import type { FileIds } from './syncable-files.ts';

/** A commit with its files. */
type Version = { commit: string; files: FileIds };

type Parts = {
  repository: SyncRepository;
  changes: Pick<Changes, 'relocationsSince'>;
  catalogue: Pick<Catalogue, 'contents'>;
};

/** The moves on this machine, and whether the journal explains all files that are new or gone. */
type OurMoves = {
  moves: Moves;
  isComplete: boolean;
  isExplained: (from: VaultPath, to: VaultPath) => boolean;
};

/**
 * The moves on this machine since the last sync, as its journal knows them. `base` may be newer than that sync: it may be
 * a commit that was received since, and `renamed` are the files that got another path when it was received.
 */
export async function findOurMoves(
  { repository, changes, catalogue }: Parts,
  base: Version,
  files: FileIds,
  renamed: readonly Move[],
): Promise<OurMoves> {
  const position = await readPosition(repository, base.commit);
  const steps = position === undefined ? null : changes.relocationsSince(position);
  const known = followMoves(base.files, files, [...(steps ?? []).map(({ moves }) => moves), renamed]);
  // Another program that exchanges two names only seems to have edited both files.
  const taken = new Set([...known].flat());
  const swaps = [...findSwaps(base.files, files)].filter(([from, to]) => !taken.has(from) && !taken.has(to));
  const all = new Map([...known, ...swaps]);
  const [created, removed] = [
    new Set(steps?.flatMap((step) => step.created)),
    new Set(steps?.flatMap((step) => step.removed)),
  ];
  const isComplete =
    [...base.files.keys()].every((path) => files.has(path) || removed.has(path)) &&
    [...files.keys()].every((path) => base.files.has(path) || created.has(path));
  return {
    moves: { files: all, folders: await findRenamedFolders(catalogue, base, files, all) },
    isComplete,
    isExplained: (from, to) => removed.has(from) && created.has(to),
  };
}

/** Adds moves of files that the journal does not know, by the similarity of the files. */
export async function completeOurMoves(
  { repository, catalogue }: Parts,
  base: Version,
  now: Version,
  { moves, isExplained }: OurMoves,
): Promise<Moves> {
  const guessed = await guessMoves(repository, base, now, moves.files);
  const files = new Map([...guessed].filter(([from, to]) => moves.files.has(from) || !isExplained(from, to)));
  return { files, folders: await findRenamedFolders(catalogue, base, now.files, files) };
}

async function findRenamedFolders(
  catalogue: Parts['catalogue'],
  base: Version,
  files: FileIds,
  moves: Moves['files'],
): Promise<Map<VaultPath, VaultPath>> {
  const contents = await catalogue.contents();
  const isGone = (folder: VaultPath): boolean => findFolder(contents, folder) === undefined;
  return findFolderMoves(base.files, files, moves, isGone);
}

/** The moves on other machines between two commits, as these machines recorded them. */
export async function findTheirMoves(
  repository: SyncRepository,
  base: Version | null,
  newest: Version,
): Promise<Moves> {
  if (base === null || base.commit === newest.commit) return noMoves;
  const records = await repository.moveRecords(base.commit, newest.commit);
  const steps = records.map((record) => [...(record?.files ?? [])].map(([from, to]) => ({ from, to })));
  const recorded = followMoves(base.files, newest.files, steps);
  const files = records.includes(null) ? await guessMoves(repository, base, newest, recorded) : recorded;
  const folders = new Map<VaultPath, VaultPath>();
  for (const record of records)
    for (const [from, to] of record?.folders ?? []) {
      for (const [old, renamed] of folders) if (renamed === from) folders.set(old, to);
      folders.set(from, to);
    }
  const isUsed = (folder: VaultPath): boolean =>
    [...newest.files.keys()].some((path) => path.startsWith(`${folder}/`));
  const valid = [...folders].filter(
    ([from, to]) => parseName(to.slice(to.indexOf('/') + 1)) === to && !isUsed(from) && isUsed(to),
  );
  return { files, folders: new Map(valid) };
}

/** Adds the moves that git finds by the similarity of the files. */
async function guessMoves(
  repository: SyncRepository,
  base: Version,
  now: Version,
  known: ReadonlyMap<VaultPath, VaultPath>,
): Promise<Map<VaultPath, VaultPath>> {
  const targets = new Set(known.values());
  const guessed = [...(await repository.findRenames(base.commit, now.commit))]
    .map(([from, to]) => [`vault/${from}`, `vault/${to}`] as [VaultPath, VaultPath])
    .filter(
      ([from, to]) =>
        base.files.has(from) && !now.files.has(from) && now.files.has(to) && !base.files.has(to),
    );
  return new Map([...guessed.filter(([from, to]) => !known.has(from) && !targets.has(to)), ...known]);
}
