import { randomUUID } from 'node:crypto';
import { syncOrigin } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { pluralize, formatPath } from '../vault/index.ts';
import type { Catalogue, Language, VaultIdentity, VaultPath, VaultView } from '../vault/index.ts';
import { computeIncomingChanges } from './incoming-changes.ts';
import type { IncomingChanges } from './incoming-changes.ts';
import { commitVault, maxBufferedBytes, pushUnlessOvertaken } from './commit-vault.ts';
import { checkReceiving, checkSending, deletedSince } from './deletions.ts';
import type { DeletionRule } from './deletions.ts';
import {
  prepareRemovals,
  purgeIfPending,
  receiveRemovals,
  redactNewest,
  sendRemovals,
} from './exchange-removals.ts';
import type { RemovalHandler } from './exchange-removals.ts';
import { completePendingImports, findBase } from './find-base.ts';
import { updateLineage } from './lineage.ts';
import type { Removal } from './removal-list.ts';
import { forgetOtherFolder, markFolder } from './folder-marker.ts';
import type { FolderMarker } from './folder-marker.ts';
import { computeDeferred, readDeferred, withDeferred, writeDeferred } from './deferred-files.ts';
import type { DeferredFiles } from './deferred-files.ts';
import { listLocalFiles, toSkippedFiles } from './local-files.ts';
import type { LocalFiles } from './local-files.ts';
import { planIncoming } from './plan-incoming.ts';
import type { Plan } from './plan-incoming.ts';
import { assertSameVault } from './remote-identity.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { BlobIdCache } from './blob-id-cache.ts';
import { parseTree, syncSizeProblem } from './syncable-files.ts';
import type { SkippedFile, FileIds } from './syncable-files.ts';

/** The result of a sync, with formatted paths. */
export type SyncReport = Pick<IncomingChanges, 'received' | 'deleted' | 'merged' | 'conflicts'> & {
  /** Number of removals of forgotten words; `isRemotePurged` is false if the host may keep what was replaced. */
  forgotten: { received: number; sent: number; isRemotePurged: boolean };
  /** Files deleted here since the last sync that were restored. */
  restored: string[];
  /** Number of files sent. */
  sent: number;
  /** Number of files that other machines will delete when they sync. */
  sentDeletions: number;
  /** Files that were not synced in either direction, with the reason. */
  leftOut: SkippedFile[];
  /** Ids of the changes made to the vault. */
  changes: string[];
};

export type SyncContext = {
  repository: SyncRepository;
  changes: Pick<Changes, 'writer' | 'find' | 'recordExternalEdits'>;
  catalogue: Pick<Catalogue, 'contents' | 'conflictCopies' | 'refresh'>;
  view: Pick<VaultView, 'read' | 'layout'>;
  seen: BlobIdCache;
  identity: VaultIdentity;
  machine: string;
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
  clock: Clock;
  marker: FolderMarker;
  removals: RemovalHandler;
  deletions: DeletionRule;
  /** Throws if another process has started to sync this vault. */
  check: () => void;
};

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
  let made = await commitVault(parts, base, baseFiles, local, isSkipped);
  const ourMoves = await movesBetween(repository, base, made.commit, baseFiles, local.files);
  let deleted = deletedSince(baseFiles, local.files, ourMoves, isSkipped);
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
      ourMoves,
      isSkipped,
      deferred,
    };
    if (!(await applyIncoming(parts, incoming, report))) return false;
    // Without a refresh, a file deleted in the meantime would count as unchanged.
    await catalogue.refresh();
    const now = await listLocalFiles(parts, known);
    for (const [path, reason] of local.skipped) {
      now.files.delete(path);
      now.skipped.set(path, reason);
    }
    const isSkippedNow = (path: VaultPath): boolean => isSkipped(path) || now.skipped.has(path);
    made = await commitVault(parts, newest, received.files, now, isSkippedNow);
    const moves = await movesBetween(repository, newest, made.commit, received.files, now.files);
    const confirmed = new Set(deletions === 'confirm' ? deleted : []);
    deleted = deletedSince(received.files, now.files, moves, isSkippedNow);
    // A disk may have been unmounted since the first check.
    checkSending(
      deleted.filter((path) => !confirmed.has(path)),
      received.files,
      'ask',
    );
  }
  parts.check();
  const sent = await send(parts, made.commit, { fetched, removals, isInitialSync: base === null });
  if (sent === null) return false;
  report.sent = made.sent;
  report.sentDeletions = deleted.length;
  report.forgotten.sent += removals.length;
  await markFolder(parts, sent.commit, sent.removalKey);
  report.forgotten.isRemotePurged = await purgeIfPending(repository);
  return true;
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

type RoundInput = {
  base: string | null;
  newest: string;
  baseFiles: FileIds;
  theirs: FileIds;
  local: LocalFiles;
  ourMoves: ReadonlyMap<VaultPath, VaultPath>;
  isSkipped: (path: VaultPath) => boolean;
  deferred: DeferredFiles;
};

/** Returns false if a file was saved in the meantime in a way that cannot be merged. */
async function applyIncoming(parts: SyncContext, incoming: RoundInput, report: SyncReport): Promise<boolean> {
  const { repository, language, isHidden, clock, deletions } = parts;
  const { base, newest, baseFiles, local, ourMoves, isSkipped, deferred } = incoming;
  const ours = local.files;
  const theirMoves = await movesBetween(repository, base, newest, baseFiles, incoming.theirs);
  const machines = await repository.listMachines(base === newest ? null : base, newest);
  const deleted = deletedSince(baseFiles, incoming.theirs, theirMoves, isSkipped).filter((path) =>
    ours.has(path),
  );
  checkReceiving(deleted, baseFiles, deletions, machines);
  const theirs = deletions === 'restore' ? withFiles(incoming.theirs, deleted, baseFiles) : incoming.theirs;
  const plan = planIncoming({ base: baseFiles, ours, theirs, ourMoves, theirMoves, isSkipped });
  const nextDeferred = computeDeferred(baseFiles, theirs, isSkipped);
  // Keeps the previously deferred files, too, until everything is imported.
  await writeDeferred(repository, new Map([...deferred, ...nextDeferred]));
  for (const part of await splitIntoBatches(repository, plan)) {
    const ids = [
      ...part.incoming.values(),
      ...[...part.incoming.keys()].map((path) => ours.get(path)),
      ...part.concurrent.flatMap(({ base: was, ours: mine, theirs: other }) => [was, mine, other]),
    ];
    const contents = await repository.contents([...new Set(ids.filter((id) => typeof id === 'string'))]);
    const incomingChanges = computeIncomingChanges({
      plan: part,
      ours,
      skipped: local.skipped.keys(),
      contents,
      isInitialSync: base === null,
      layout: parts.view.layout(),
      language,
      isHidden,
      now: clock(),
    });
    if (
      !(await writeIncoming(
        parts,
        incomingChanges,
        { machines, commit: part.isLast ? newest : null },
        report,
      ))
    )
      return false;
  }
  await repository.setRefs({ base: newest });
  await writeDeferred(repository, nextDeferred);
  return true;
}

async function writeIncoming(
  { repository, changes, check }: SyncContext,
  incomingChanges: IncomingChanges,
  { machines, commit }: { machines: string[]; commit: string | null },
  report: SyncReport,
): Promise<boolean> {
  if (incomingChanges.changes.length === 0) return true;
  const id = randomUUID();
  if (commit !== null) await repository.setPendingImport(id, commit);
  check();
  const metadata = { id, origin: syncOrigin, summary: formatSummary(incomingChanges, machines) };
  const written = await changes.writer.write(incomingChanges.changes, metadata);
  if (written.kind === 'written') report.changes.push(id);
  if (written.kind === 'written' || written.kind === 'unchanged') {
    report.received.push(...incomingChanges.received);
    report.deleted.push(...incomingChanges.deleted);
    report.merged.push(...incomingChanges.merged);
    report.conflicts.push(...incomingChanges.conflicts);
    // `base` is set before the pending import is removed: if neither existed after a crash, the commit would be
    // imported twice.
    if (commit !== null) await repository.setRefs({ base: commit });
  }
  if (commit !== null) await repository.setPendingImport(id, null);
  return written.kind === 'written' || written.kind === 'unchanged';
}

/** `received vault/a.md, merged 2 files, from laptop` */
function formatSummary(
  { received, deleted, merged, conflicts }: IncomingChanges,
  machines: readonly string[],
): string {
  const parts = Object.entries({ received, deleted, merged, 'kept both versions of': conflicts })
    .filter(([, paths]) => paths.length > 0)
    .map(
      ([verb, paths]) => `${verb} ${paths.length === 1 ? paths.join('') : pluralize(paths.length, 'file')}`,
    );
  return `${parts.join(', ')}, from ${machines.join(', ')}`;
}

/**
 * Splits a plan into transactions. Normally it is one; if its content does not fit in memory, files that only the
 * remote changed are imported first, because importing them twice is harmless.
 */
async function splitIntoBatches(
  repository: SyncRepository,
  { incoming, concurrent }: Plan,
): Promise<(Plan & { isLast: boolean })[]> {
  const parts: Plan['incoming'][] = [];
  const rows = [...incoming];
  const sizes = await repository.sizes(rows.flatMap(([, id]) => id ?? []));
  let room = 0;
  for (const row of rows) {
    const size = row[1] === null ? 0 : (sizes.shift() ?? 0);
    if (size > room || parts.length === 0) {
      parts.push(new Map());
      room = maxBufferedBytes;
    }
    parts.at(-1)?.set(...row);
    room -= size;
  }
  const last = parts.pop() ?? new Map<VaultPath, string | null>();
  return [
    ...parts.map((part) => ({ incoming: part, concurrent: [], isLast: false })),
    { incoming: last, concurrent, isLast: true },
  ];
}

/** Maps files of `base` to their new paths in the newer commit; empty if there is no older commit. */
async function movesBetween(
  repository: SyncRepository,
  older: string | null,
  newer: string,
  base: FileIds,
  side: FileIds,
): Promise<Map<VaultPath, VaultPath>> {
  if (older === null || older === newer) return new Map();
  return new Map(
    [...(await repository.findRenames(older, newer))]
      .map(([from, to]) => [`vault/${from}`, `vault/${to}`] as [VaultPath, VaultPath])
      .filter(([from, to]) => base.has(from) && !side.has(from) && side.has(to) && !base.has(to)),
  );
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

function withFiles(side: FileIds, paths: readonly VaultPath[], from: FileIds): FileIds {
  const files = new Map(side);
  for (const path of paths) {
    const id = from.get(path);
    if (id !== undefined) files.set(path, id);
  }
  return files;
}
