import type { SyncRepository } from './sync-repository.ts';

/** A commit made from the vault, and the newest transaction of the journal that it contains; null if there was none. */
type Position = [commit: string, transaction: string | null];

/** The last two: the push of the newer one may have failed. */
const keptPositions = 2;

/** Remembers up to which transaction a commit contains the changes of this machine. Call it before the commit is pushed. */
export async function storePosition(
  repository: SyncRepository,
  commit: string,
  transaction: string | null,
): Promise<void> {
  const stored = await readPositions(repository);
  if (stored.at(-1)?.join() === [commit, transaction].join()) return;
  const others = stored.filter(([known]) => known !== commit);
  const positions = [...others, [commit, transaction]].slice(-keptPositions);
  await repository.setRefs({ position: await repository.writeBlob(JSON.stringify(positions)) });
}

/** The transaction up to which this commit or one before it contains the changes of this machine; undefined if it is unknown. */
export async function readPosition(
  repository: SyncRepository,
  commit: string,
): Promise<string | null | undefined> {
  for (const [known, transaction] of (await readPositions(repository)).toReversed())
    if ((await repository.has(known)) && (await repository.isAncestor(known, commit))) return transaction;
  return undefined;
}

async function readPositions(repository: SyncRepository): Promise<Position[]> {
  const id = await repository.ref('position');
  if (id === null) return [];
  const text = (await repository.contents([id])).get(id)?.toString() ?? '[]';
  return JSON.parse(text) as Position[];
}
