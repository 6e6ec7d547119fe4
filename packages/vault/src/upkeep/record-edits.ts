import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { childPath, walkFiles } from '../vault/index.ts';
import type { Catalogue, FileEntry, VaultPath } from '../vault/index.ts';
import { isUserFile } from './find-differences.ts';
import type { RecordedFiles } from './recorded-files.ts';

type Parts = {
  changes: Pick<Changes, 'record' | 'recordExternalEdits' | 'completeTip' | 'files' | 'baseline'>;
  catalogue: Pick<Catalogue, 'contents'>;
  recorded: RecordedFiles;
  clock: Clock;
};

/** Number of files added to history in one commit; progress is reported after each commit. */
const batchSize = 1_000;
/** Maximum number of consecutive attempts in which no file could be added. */
const maxAttempts = 5;

/**
 * Adds to history all files that it has never contained, so that each can be restored to its current state. Stops early
 * if other processes keep changing the remaining files; the next call or upkeep continues.
 */
export async function takeBaseline(
  { changes, catalogue, recorded, clock }: Parts,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const startedAt = clock();
  const present = await listUserFiles(catalogue);
  const missing = await changes.baseline.findMissing([...present.keys()]);
  if (missing === null) return;
  let left = missing;
  for (let attempt = 1; left.length > 0 && attempt <= maxAttempts;) {
    onProgress(missing.length - left.length, missing.length);
    const done = new Set(await changes.baseline.addToBaseline(left.slice(0, batchSize)));
    for (const path of done) {
      const entry = present.get(path);
      if (entry !== undefined) recorded.put(path, entry);
    }
    left = left.filter((path) => !done.has(path));
    attempt = done.size === 0 ? attempt + 1 : 1;
  }
  if (left.length > 0) return;
  onProgress(missing.length, missing.length);
  await changes.baseline.markBaselineComplete();
  const tip = await changes.completeTip();
  if (tip !== null) recorded.save(tip, { at: clock(), took: clock() - startedAt });
}

/**
 * Records the edits that other programs have made since the last call; for a process without upkeep. Does nothing until
 * the baseline is complete, because until then a file that is not in history may be an old one.
 */
export async function recordExternalEdits({ changes, catalogue, recorded, clock }: Parts): Promise<void> {
  const startedAt = clock();
  await changes.record();
  const tip = await changes.completeTip();
  if (tip === null) return;
  const present = await listUserFiles(catalogue);
  const isSameHistory = tip !== '' && recorded.tip() === tip;
  const known = new Set(isSameHistory ? recorded.paths() : await changes.files());
  const edited = [...present].flatMap(([path, entry]) =>
    known.has(path) && recorded.has(path, entry) ? [] : [path],
  );
  const gone = [...known].filter((path) => isUserFile(path) && !present.has(path));
  const { done } = await changes.recordExternalEdits([...edited, ...gone]);
  for (const path of done) {
    const entry = present.get(path);
    if (entry === undefined) recorded.forget(path);
    else recorded.put(path, entry);
  }
  const newTip = (await changes.completeTip()) ?? '';
  recorded.save(newTip, { at: clock(), took: clock() - startedAt });
}

async function listUserFiles(catalogue: Parts['catalogue']): Promise<Map<VaultPath, FileEntry>> {
  const files = new Map<VaultPath, FileEntry>();
  for (const { folder, name, entry } of walkFiles(await catalogue.contents())) {
    const path = childPath(folder, name);
    if (isUserFile(path)) files.set(path, entry);
  }
  return files;
}
