import { hashBlob } from '../changes/index.ts';
import { baseName, fileKindOf } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Plan } from './plan-incoming.ts';
import type { SyncContext } from './sync-context.ts';

type Parts = Pick<SyncContext, 'repository' | 'changes'>;

/**
 * Finds a base for the files that both sides have without one, for example after a backup was restored. A file that the
 * remote once had at the same path is outdated, and the remote one replaces it. Otherwise the base is the newest version
 * in the history of this machine that the remote had. Files that exist only here or there are not looked at, so nothing
 * counts as deleted.
 */
export async function findPastBases(
  { repository, changes }: Parts,
  plan: Plan,
  newest: string,
): Promise<Plan> {
  const unrelated = plan.concurrent.filter(
    ({ base, ours, theirs }) => base === undefined && ours !== undefined && theirs !== undefined,
  );
  if (unrelated.length === 0) return plan;
  const paths = new Set(unrelated.map(({ path }) => path));
  const past = await repository.pastVersions(newest, paths);
  // If this repository synced another folder before, the files here may be older than the history of this machine.
  const isOwnHistoryCurrent = (await repository.folderId()) === null;
  const incoming = new Map(plan.incoming);
  const concurrent: Plan['concurrent'] = [];
  for (const each of plan.concurrent) {
    const { path, ours = '', theirs = '' } = each;
    const known = paths.has(path) ? past.get(path) : undefined;
    let base = known?.has(ours) === true ? ours : undefined;
    if (base === undefined && known !== undefined && isOwnHistoryCurrent)
      base = await newestVersionIn(known, path, changes);
    if (base === undefined) concurrent.push(each);
    else if (base === ours) incoming.set(path, theirs);
    else if (base !== theirs) concurrent.push({ ...each, base });
  }
  return { ...plan, incoming, concurrent };
}

async function newestVersionIn(
  known: ReadonlySet<string>,
  path: VaultPath,
  changes: Parts['changes'],
): Promise<string | undefined> {
  // Only notes are merged.
  if (fileKindOf(baseName(path)) !== 'markdown') return undefined;
  const versions = await changes.fileVersions(path);
  return versions.map(({ text }) => hashBlob(Buffer.from(text))).find((id) => known.has(id));
}
