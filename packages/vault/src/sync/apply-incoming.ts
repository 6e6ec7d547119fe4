import { randomUUID } from 'node:crypto';
import { createFileChange, sortDeepestFirst, syncOrigin } from '../changes/index.ts';
import { formatPath, pluralize, walkFolders } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { findObsoleteFolders } from './find-obsolete-folders.ts';
import { maxBufferedBytes } from './commit-vault.ts';
import { computeDeferred, writeDeferred } from './deferred-files.ts';
import type { DeferredFiles } from './deferred-files.ts';
import { checkReceiving, deletedSince } from './deletions.ts';
import { findPastBases } from './find-past-bases.ts';
import { findTheirMoves } from './find-moves.ts';
import { computeIncomingChanges } from './incoming-changes.ts';
import type { IncomingChanges } from './incoming-changes.ts';
import type { LocalFiles } from './local-files.ts';
import type { Moves } from './moves.ts';
import { planIncoming } from './plan-incoming.ts';
import type { Plan, RenamedFile } from './plan-incoming.ts';
import { renameObstructed } from './rename-obstructed.ts';
import type { SyncContext, SyncReport } from './sync-context.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { FileIds } from './syncable-files.ts';

type RoundInput = {
  base: string | null;
  newest: string;
  baseFiles: FileIds;
  theirs: FileIds;
  local: LocalFiles;
  ourMoves: Moves;
  isSkipped: (path: VaultPath) => boolean;
  deferred: DeferredFiles;
};

/** Returns the files that got another path, or null if a file was saved in the meantime in a way that cannot be merged. */
export async function applyIncoming(
  parts: SyncContext,
  incoming: RoundInput,
  report: SyncReport,
): Promise<{ renamed: readonly RenamedFile[] } | null> {
  const { repository, language, isHidden, clock, deletions } = parts;
  const { base, newest, baseFiles, local, ourMoves, isSkipped, deferred } = incoming;
  const theirMoves = await findTheirMoves(
    repository,
    base === null ? null : { commit: base, files: baseFiles },
    { commit: newest, files: incoming.theirs },
  );
  const machines = await repository.listMachines(base === newest ? null : base, newest);
  const deleted = deletedSince(baseFiles, incoming.theirs, theirMoves.files, isSkipped).filter((path) =>
    local.files.has(path),
  );
  checkReceiving(deleted, baseFiles, deletions, machines);
  const theirs = deletions === 'restore' ? withFiles(incoming.theirs, deleted, baseFiles) : incoming.theirs;
  const sides = { base: baseFiles, ours: local.files, theirs, ourMoves, theirMoves, isSkipped };
  const plannedHere = planIncoming(sides);
  const planned = base === null ? await findPastBases(parts, plannedHere, newest) : plannedHere;
  const nextDeferred = computeDeferred(baseFiles, theirs, isSkipped);
  // Keeps the previously deferred files, too, until everything is imported.
  await writeDeferred(repository, new Map([...deferred, ...nextDeferred]));
  const cleared = await clearFolders(parts, planned, local.files, machines, report);
  if (cleared === null) return null;
  const { ours } = cleared;
  const plan = renameObstructed(cleared.plan, {
    files: ours,
    skipped: local.skipped.keys(),
    folders: [...walkFolders(await parts.catalogue.contents())].map(({ path }) => path),
  });
  for (const part of await splitIntoBatches(repository, plan)) {
    const ids = [
      ...part.incoming.values(),
      ...[...part.incoming.keys()].map((path) => ours.get(path)),
      ...part.concurrent.flatMap(({ path, base: was, ours: mine, theirs: other }) => [
        was,
        mine,
        other,
        ours.get(path),
      ]),
    ];
    const contents = await readContents(repository, ids);
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
    const commit = part.isLast ? newest : null;
    const made = { ...incomingChanges, renamed: part.renamed };
    if (!(await writeIncoming(parts, made, { machines, commit }, report))) return null;
  }
  await repository.setRefs({ base: newest });
  await writeDeferred(repository, nextDeferred);
  return { renamed: plan.renamed };
}

/**
 * Removes the files and folders in whose place a file arrives, in a change of their own: a folder may have other files,
 * and only then is it known whether its path is free. Returns what is left to do, or null if a file was saved meanwhile.
 */
async function clearFolders(
  parts: SyncContext,
  plan: Plan,
  ours: FileIds,
  machines: string[],
  report: SyncReport,
): Promise<{ plan: Plan; ours: FileIds } | null> {
  const { repository, catalogue, view } = parts;
  const onDisk = await catalogue.contents();
  const { files, folders } = findObsoleteFolders({ plan, ours, onDisk, layout: view.layout() });
  if (files.length + folders.length === 0) return { plan, ours };
  const contents = await readContents(
    repository,
    files.map((path) => ours.get(path)),
  );
  const removed = files.flatMap(
    (path) => createFileChange(path, contents.get(ours.get(path) ?? '') ?? null, null) ?? [],
  );
  const changes = [
    ...removed,
    ...sortDeepestFirst(folders).map((path) => ({ kind: 'remove-folder' as const, path })),
  ];
  const deleted = files.map(formatPath);
  const made = { changes, received: [], deleted, merged: [], conflicts: [], renamed: [] };
  if (!(await writeIncoming(parts, made, { machines, commit: null }, report))) return null;
  await catalogue.refresh();
  const isLeft = ([path]: [VaultPath, unknown]): boolean => !files.includes(path);
  return {
    plan: { ...plan, incoming: new Map([...plan.incoming].filter(isLeft)) },
    ours: new Map([...ours].filter(isLeft)),
  };
}

function readContents(
  repository: SyncRepository,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, Buffer>> {
  return repository.contents([...new Set(ids.filter((id) => typeof id === 'string'))]);
}

/** The changes of one transaction, and the files that got another name in it. */
type Import = IncomingChanges & { renamed: readonly RenamedFile[] };

async function writeIncoming(
  { repository, changes, check }: SyncContext,
  made: Import,
  { machines, commit }: { machines: string[]; commit: string | null },
  report: SyncReport,
): Promise<boolean> {
  if (made.changes.length === 0) return true;
  const id = randomUUID();
  if (commit !== null) await repository.setPendingImport(id, commit);
  check();
  const metadata = { id, origin: syncOrigin, summary: formatSummary(made, machines) };
  const written = await changes.writer.write(made.changes, metadata);
  if (written.kind === 'written') report.changes.push(id);
  if (written.kind === 'written' || written.kind === 'unchanged') {
    report.received.push(...made.received);
    report.deleted.push(...made.deleted);
    report.merged.push(...made.merged);
    report.conflicts.push(...made.conflicts);
    report.renamed.push(
      ...made.renamed.map(({ from, to, why }) => ({ from: formatPath(from), to: formatPath(to), why })),
    );
    // `base` is set before the pending import is removed: if neither existed after a crash, the commit would be
    // imported twice.
    if (commit !== null) await repository.setRefs({ base: commit });
  }
  if (commit !== null) await repository.setPendingImport(id, null);
  return written.kind === 'written' || written.kind === 'unchanged';
}

/** `received vault/a.md, merged 2 files, from laptop` */
function formatSummary(
  { received, deleted, merged, conflicts, renamed }: Import,
  machines: readonly string[],
): string {
  const moved = renamed.map(({ from, to }) => `${formatPath(from)} to ${formatPath(to)}`);
  const parts = Object.entries({
    received,
    deleted,
    merged,
    'kept both versions of': conflicts,
    renamed: moved,
  })
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
  { incoming, concurrent, moved, renamed }: Plan,
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
    ...parts.map((part) => ({ incoming: part, concurrent: [], moved, renamed: [], isLast: false })),
    { incoming: last, concurrent, moved, renamed, isLast: true },
  ];
}

function withFiles(side: FileIds, paths: readonly VaultPath[], from: FileIds): FileIds {
  const files = new Map(side);
  for (const path of paths) {
    const id = from.get(path);
    if (id !== undefined) files.set(path, id);
  }
  return files;
}
