import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { childPath, filesBelow } from '../vault/index.ts';
import type { Catalogue, FileEntry, VaultPath } from '../vault/index.ts';
import { isKept } from './compare.ts';
import type { RecordedFiles } from './recorded-files.ts';

type Parts = {
  changes: Pick<Changes, 'record' | 'recordOutside' | 'completeTip' | 'files' | 'baseline'>;
  catalogue: Pick<Catalogue, 'contents'>;
  recorded: RecordedFiles;
  clock: Clock;
};

/** Files that are taken into history in one commit, and after which progress is told. */
const batchSize = 1_000;
/** How often a batch of which nothing could be taken in is tried again. */
const maxAttempts = 5;

/**
 * Takes all files into history that it has never had, so that each can come back as it is now. Stops early where other
 * processes keep changing what is left; the next call, or upkeep, goes on.
 */
export async function takeBaseline(
  { changes, catalogue, recorded, clock }: Parts,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const startedAt = clock();
  const present = await keptFiles(catalogue);
  const missing = await changes.baseline.missing([...present.keys()]);
  if (missing === null) return;
  let left = missing;
  for (let attempt = 1; left.length > 0 && attempt <= maxAttempts;) {
    onProgress(missing.length - left.length, missing.length);
    const done = new Set(await changes.baseline.addMissing(left.slice(0, batchSize)));
    for (const path of done) {
      const entry = present.get(path);
      if (entry !== undefined) recorded.put(path, entry);
    }
    left = left.filter((path) => !done.has(path));
    attempt = done.size === 0 ? attempt + 1 : 1;
  }
  if (left.length > 0) return;
  onProgress(missing.length, missing.length);
  await changes.baseline.setComplete();
  const tip = await changes.completeTip();
  if (tip !== null) recorded.save(tip, { at: clock(), took: clock() - startedAt });
}

/**
 * Makes changes of history of what other programs have done to files since: once, for a process without upkeep. Does nothing while
 * history has not had every file, as then a file it does not know may be an old one.
 */
export async function recordOutsideEdits({ changes, catalogue, recorded, clock }: Parts): Promise<void> {
  const startedAt = clock();
  await changes.record();
  const tip = await changes.completeTip();
  if (tip === null) return;
  const present = await keptFiles(catalogue);
  const isSameHistory = tip !== '' && recorded.tip() === tip;
  const known = new Set(isSameHistory ? recorded.paths() : await changes.files());
  const edited = [...present].flatMap(([path, entry]) =>
    known.has(path) && recorded.has(path, entry) ? [] : [path],
  );
  const gone = [...known].filter((path) => isKept(path) && !present.has(path));
  const { done } = await changes.recordOutside([...edited, ...gone]);
  for (const path of done) {
    const entry = present.get(path);
    if (entry === undefined) recorded.forget(path);
    else recorded.put(path, entry);
  }
  const newTip = (await changes.completeTip()) ?? '';
  recorded.save(newTip, { at: clock(), took: clock() - startedAt });
}

async function keptFiles(catalogue: Parts['catalogue']): Promise<Map<VaultPath, FileEntry>> {
  const files = new Map<VaultPath, FileEntry>();
  for (const { folder, name, entry } of filesBelow(await catalogue.contents())) {
    const path = childPath(folder, name);
    if (isKept(path)) files.set(path, entry);
  }
  return files;
}
