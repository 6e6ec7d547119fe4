import { randomUUID } from 'node:crypto';
import { syncOrigin } from '../changes/index.ts';
import { pluralize, formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { applyIncoming } from './apply-incoming.ts';
import { checkSecrets } from './check-secrets.ts';
import { commitVault, pushUnlessOvertaken } from './commit-vault.ts';
import { checkSending, deletedSince } from './deletions.ts';
import {
  prepareRemovals,
  purgeIfPending,
  receiveRemovals,
  redactNewest,
  sendRemovals,
} from './exchange-removals.ts';
import { completePendingImports, findBase } from './find-base.ts';
import { updateLineage } from './lineage.ts';
import type { Removal } from './removal-list.ts';
import { forgetOtherFolder, markFolder } from './folder-marker.ts';
import { readDeferred, withDeferred } from './deferred-files.ts';
import { completeOurMoves, findOurMoves } from './find-moves.ts';
import { listLocalFiles, toSkippedFiles } from './local-files.ts';
import type { LocalFiles } from './local-files.ts';
import { noMoves } from './moves.ts';
import type { Move, Moves } from './moves.ts';
import { assertSameVault } from './remote-identity.ts';
import type { SyncContext, SyncReport } from './sync-context.ts';
import { storePosition } from './sync-position.ts';
import { parseTree, syncSizeProblem } from './syncable-files.ts';
import type { SkippedFile, FileIds } from './syncable-files.ts';

/**
 * Applies remote changes through the writer, then pushes the vault. Returns false if another round is needed: another
 * machine pushed first, a file changed during the round, or deleted files were restored. A round can be interrupted at
 * any point; the next one resumes it.
 */
export async function runSyncRound(parts: SyncContext, report: SyncReport): Promise<boolean> {
  const { repository, catalogue, deletions } = parts;
  const fetched = await repository.fetchRemote();
  await forgetOtherFolder(parts, fetched);
  await completePendingImports(parts);
  report.forgotten.received += await receiveRemovals(parts, fetched);
  const removals = await prepareRemovals(parts);
  const newest = await redactNewest(parts, fetched, removals);
  const base = await findBase(repository, newest);
  const received = await readRemote(parts, newest, base);
  const deferred = await readDeferred(repository);
  const baseFiles = withDeferred(
    base === null ? new Map() : parseTree(await repository.tree(base)).files,
    deferred,
  );
  const known = new Set([...baseFiles.keys(), ...received.files.keys(), ...received.skipped.keys()]);
  let position = parts.changes.position();
  await catalogue.refresh();
  const local = await listLocalFiles(parts, known);
  await recordLocalEdits(parts, local, baseFiles);
  report.leftOut = [
    ...received.refused,
    ...toSkippedFiles(received.skipped),
    ...toSkippedFiles(local.skipped),
  ];
  const isSkipped = (path: VaultPath): boolean => received.skipped.has(path) || local.skipped.has(path);
  // After this, the repository also has the current content of the vault.
  let made = await commitMoves(parts, { parent: base, known: baseFiles, renamed: [] }, local, isSkipped);
  let deleted = deletedSince(baseFiles, local.files, made.moves.files, isSkipped);
  checkSending(deleted, baseFiles, deletions);
  if (deletions === 'restore' && deleted.length > 0) {
    await restoreDeleted(parts, baseFiles, deleted, report);
    return false;
  }
  // Files that were skipped before may be importable now.
  if (newest !== null && (newest !== base || deferred.size > 0)) {
    const incoming = {
      base,
      newest,
      baseFiles,
      theirs: received.files,
      local,
      ourMoves: made.moves,
      isSkipped,
      deferred,
    };
    const imported = await applyIncoming(parts, incoming, report);
    if (imported === null) return false;
    // Without a refresh, a file deleted in the meantime would count as unchanged.
    position = parts.changes.position();
    await catalogue.refresh();
    const now = await listLocalFiles(parts, known);
    for (const [path, reason] of local.skipped) {
      now.files.delete(path);
      now.skipped.set(path, reason);
    }
    const isSkippedNow = (path: VaultPath): boolean => isSkipped(path) || now.skipped.has(path);
    const parent = { parent: newest, known: received.files, renamed: imported.renamed };
    made = await commitMoves(parts, parent, now, isSkippedNow);
    const confirmed = new Set(deletions === 'confirm' ? deleted : []);
    deleted = deletedSince(received.files, now.files, made.moves.files, isSkippedNow);
    // A disk may have been unmounted since the first check.
    checkSending(
      deleted.filter((path) => !confirmed.has(path)),
      received.files,
      'ask',
    );
  }
  await checkSecrets(parts, made, newest);
  parts.check();
  await storePosition(repository, made.commit, position);
  const sent = await send(parts, made.commit, { fetched, removals, isInitialSync: base === null });
  if (sent === null) return false;
  report.sent = made.sent;
  report.sentDeletions = deleted.length;
  report.forgotten.sent += removals.length;
  await markFolder(parts, sent.commit, sent.removalKey);
  report.forgotten.isRemotePurged = await purgeIfPending(repository);
  return true;
}

type Committed = { commit: string; sent: number; moves: Moves };

/** Commits the vault like `commitVault`, with the moves of its files. */
async function commitMoves(
  parts: SyncContext,
  { parent, known, renamed }: { parent: string | null; known: FileIds; renamed: readonly Move[] },
  local: LocalFiles,
  isSkipped: (path: VaultPath) => boolean,
): Promise<Committed> {
  if (parent === null)
    return {
      ...(await commitVault(parts, { parent, known, moves: null }, local, isSkipped)),
      moves: noMoves,
    };
  const base = { commit: parent, files: known };
  const found = await findOurMoves(parts, base, local.files, renamed);
  const { moves, isComplete } = found;
  const made = await commitVault(
    parts,
    { parent, known, moves: isComplete ? moves : null },
    local,
    isSkipped,
  );
  if (isComplete || made.commit === parent) return { ...made, moves };
  const now = { commit: made.commit, files: local.files };
  const completed = await completeOurMoves(parts, base, now, found);
  const commit = await parts.repository.recordMoves(made.commit, completed);
  return { ...made, commit, moves: completed };
}

type Sending = { fetched: string | null; removals: readonly Removal[]; isInitialSync: boolean };

/** Pushes the commit and makes it the new base. Returns null if another machine pushed first. */
async function send(
  parts: SyncContext,
  commit: string,
  { fetched, removals, isInitialSync }: Sending,
): Promise<{ commit: string; removalKey: string } | null> {
  const { repository } = parts;
  let pushed: string | null = commit;
  if (removals.length > 0 && fetched !== null)
    pushed = await sendRemovals(parts, removals, { commit, replaced: fetched });
  else if (commit !== fetched && !(await pushUnlessOvertaken(repository, commit, fetched))) return null;
  if (pushed === null) return null;
  await repository.setRefs({ base: pushed });
  return { commit: pushed, removalKey: await updateLineage(repository, pushed, isInitialSync) };
}

type RemoteFiles = {
  files: Map<VaultPath, string>;
  skipped: Map<VaultPath, string>;
  /** Entries that are not valid in a vault. */
  refused: SkippedFile[];
};

async function readRemote(
  { repository, identity }: SyncContext,
  newest: string | null,
  base: string | null,
): Promise<RemoteFiles> {
  if (newest === null) return { files: new Map(), skipped: new Map(), refused: [] };
  const tree = await repository.tree(newest);
  if (newest !== base) await assertSameVault(repository, tree, identity.id);
  const { files, skipped: refused } = parseTree(tree);
  const ids = [...new Set(files.values())];
  const sizes = await repository.sizes(ids);
  const problems = new Map(ids.map((id, index) => [id, syncSizeProblem(sizes[index] ?? 0)]));
  const skipped = new Map<VaultPath, string>();
  for (const [path, id] of files) {
    const problem = problems.get(id) ?? null;
    if (problem === null) continue;
    files.delete(path);
    skipped.set(path, problem);
  }
  return { files, skipped, refused };
}

/** Records external edits in history before the sync changes those files. Files that cannot be recorded yet are skipped. */
async function recordLocalEdits({ changes }: SyncContext, local: LocalFiles, base: FileIds): Promise<void> {
  const paths = new Set([...local.files.keys(), ...base.keys()]);
  let remaining = [...paths].filter(
    (path) => local.files.get(path) !== base.get(path) && !local.skipped.has(path),
  );
  while (remaining.length > 0) {
    const done = new Set((await changes.recordExternalEdits(remaining)).done);
    if (done.size === 0) break;
    remaining = remaining.filter((path) => !done.has(path));
  }
  for (const path of remaining) {
    local.files.delete(path);
    local.skipped.set(path, 'still being written to');
  }
}

/** Restores the files as they were at the last sync, in one change. */
async function restoreDeleted(
  { repository, changes, check }: SyncContext,
  base: FileIds,
  deleted: readonly VaultPath[],
  report: SyncReport,
): Promise<void> {
  const contents = await repository.contents([...new Set(deleted.flatMap((path) => base.get(path) ?? []))]);
  const files = deleted.flatMap((path) => {
    const after = contents.get(base.get(path) ?? '');
    return after === undefined ? [] : [{ kind: 'create' as const, path, after, mode: null }];
  });
  check();
  const id = randomUUID();
  const summary = `restored ${pluralize(files.length, 'file')} that had been deleted since the last sync`;
  const written = await changes.writer.write(files, { id, origin: syncOrigin, summary });
  if (written.kind !== 'written') return;
  report.changes.push(id);
  report.restored.push(...files.map(({ path }) => formatPath(path)));
}
