import { randomUUID } from 'node:crypto';
import { syncOrigin } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { count, showPath } from '../vault/index.ts';
import type { Catalogue, Language, VaultIdentity, VaultPath, VaultView } from '../vault/index.ts';
import { arrivalOf } from './arrival.ts';
import type { Arrival } from './arrival.ts';
import { commitVault, mostBytes, send } from './commit-vault.ts';
import { checkReceiving, checkSending, deletedSince } from './deletions.ts';
import type { DeletionRule } from './deletions.ts';
import { SyncError } from './error.ts';
import { forgetOtherFolder, markFolder } from './folder-marker.ts';
import type { FolderMarker } from './folder-marker.ts';
import { lateAfter, readLate, withLate, writeLate } from './late-files.ts';
import type { Late } from './late-files.ts';
import { listLocal, showLeftOut } from './local-files.ts';
import type { LocalFiles } from './local-files.ts';
import { planArrival } from './plan.ts';
import type { Plan } from './plan.ts';
import { checkIdentity } from './remote-identity.ts';
import type { SyncRepository } from './repository.ts';
import type { SeenFiles } from './seen-files.ts';
import { filesOf, sizeProblem } from './travelling.ts';
import type { LeftOut, Side } from './travelling.ts';

/** What a sync did; paths as they are shown. */
export type SyncReport = Pick<Arrival, 'received' | 'deleted' | 'merged' | 'asked'> & {
  /** Files that had been deleted here since the last sync and are back. */
  restored: string[];
  /** How many files were sent. */
  sent: number;
  /** How many files are deleted on the other machines when they sync. */
  sentDeletions: number;
  /** What stays on its machine, or in the remote. */
  leftOut: LeftOut[];
  /** The changes of the vault, as history has them. */
  changes: string[];
};

export type RoundParts = {
  repository: SyncRepository;
  changes: Pick<Changes, 'writer' | 'find' | 'recordOutside'>;
  catalogue: Pick<Catalogue, 'contents' | 'conflictCopies' | 'refresh'>;
  view: Pick<VaultView, 'read' | 'layout'>;
  seen: SeenFiles;
  identity: VaultIdentity;
  machine: string;
  language: Language;
  clock: Clock;
  marker: FolderMarker;
  deletions: DeletionRule;
  /** Throws when another process has begun to sync this vault. */
  check: () => void;
};

/**
 * Brings in what others did, through the writer, and sends the vault as it is then. False when it is to be called again: others were
 * quicker, a file was saved at that very moment, or deleted files were restored. The next round goes on after any interruption.
 */
export async function syncOnce(parts: RoundParts, report: SyncReport): Promise<boolean> {
  const { repository, catalogue, deletions } = parts;
  const newest = await repository.receive();
  await forgetOtherFolder(parts, newest);
  await settleArrivals(parts);
  const base = await findBase(repository, newest);
  const received = await readRemote(parts, newest, base);
  const late = await readLate(repository);
  const baseFiles = withLate(base === null ? new Map() : filesOf(await repository.tree(base)).files, late);
  const known = new Set([...baseFiles.keys(), ...received.files.keys(), ...received.leftOut.keys()]);
  await catalogue.refresh();
  const local = await listLocal(parts, known);
  await recordLocal(parts, local, baseFiles);
  report.leftOut = [...received.refused, ...showLeftOut(received.leftOut), ...showLeftOut(local.leftOut)];
  const isLeftOut = (path: VaultPath): boolean => received.leftOut.has(path) || local.leftOut.has(path);
  // What the vault holds is in the repository then, too.
  let made = await commitVault(parts, base, baseFiles, local, isLeftOut);
  const ourMoves = await movesBetween(repository, base, made.commit, baseFiles, local.files);
  let deleted = deletedSince(baseFiles, local.files, ourMoves, isLeftOut);
  checkSending(deleted, baseFiles, deletions);
  if (deletions === 'restore' && deleted.length > 0) {
    await restoreDeleted(parts, baseFiles, deleted, report);
    return false;
  }
  // What was late may be ready now.
  if (newest !== null && (newest !== base || late.size > 0)) {
    const incoming = { base, newest, baseFiles, theirs: received.files, local, ourMoves, isLeftOut, late };
    if (!(await bringIn(parts, incoming, report))) return false;
    // Without it, a file that has gone meanwhile would be taken for unchanged.
    await catalogue.refresh();
    const now = await listLocal(parts, known);
    for (const [path, reason] of local.leftOut) {
      now.files.delete(path);
      now.leftOut.set(path, reason);
    }
    const isLeftOutNow = (path: VaultPath): boolean => isLeftOut(path) || now.leftOut.has(path);
    made = await commitVault(parts, newest, received.files, now, isLeftOutNow);
    const moves = await movesBetween(repository, newest, made.commit, received.files, now.files);
    const confirmed = new Set(deletions === 'confirm' ? deleted : []);
    deleted = deletedSince(received.files, now.files, moves, isLeftOutNow);
    // A disk may have been unmounted since the first check.
    checkSending(
      deleted.filter((path) => !confirmed.has(path)),
      received.files,
      'ask',
    );
  }
  parts.check();
  if (made.commit !== newest && !(await send(repository, made.commit, newest))) return false;
  report.sent = made.sent;
  report.sentDeletions = deleted.length;
  await repository.setRefs({ base: made.commit });
  await markFolder(parts, made.commit);
  return true;
}

/** A transaction that was made has brought its commit in, also when nobody lived to write that down. */
async function settleArrivals({ repository, changes }: RoundParts): Promise<void> {
  for (const { id, commit } of await repository.arrivals()) {
    if (changes.find(id)?.entry.state === 'applied') await repository.setRefs({ base: commit });
    await repository.setArrival(id, null);
  }
}

/** The newest commit of the remote that is in the vault already; null when none is. */
async function findBase(repository: SyncRepository, newest: string | null): Promise<string | null> {
  const [local, base] = [await repository.ref('local'), await repository.ref('base')];
  const isIn = async (commit: string): Promise<boolean> =>
    newest !== null && repository.isAncestor(commit, newest);
  // What was sent from here last may be older than what has come in since.
  const isLocalNewer = local !== null && (base === null || (await repository.isAncestor(base, local)));
  if (isLocalNewer && (await isIn(local))) return local;
  if (base === null || (await isIn(base))) return base;
  throw new SyncError(
    'rewritten',
    `the remote ${newest === null ? 'is empty now' : 'has another past than when it was last synced'}: somebody has rewritten it; nothing was changed`,
    {
      mend: 'restore it, or begin anew with: keepsake sync --off, then keepsake sync <remote> on each machine; where files differ, both versions will stand',
    },
  );
}

type Remote = {
  files: Map<VaultPath, string>;
  leftOut: Map<VaultPath, string>;
  /** What no vault could have. */
  refused: LeftOut[];
};

async function readRemote(
  { repository, identity }: RoundParts,
  newest: string | null,
  base: string | null,
): Promise<Remote> {
  if (newest === null) return { files: new Map(), leftOut: new Map(), refused: [] };
  const tree = await repository.tree(newest);
  if (newest !== base) await checkIdentity(repository, tree, identity.id);
  const { files, leftOut: refused } = filesOf(tree);
  const ids = [...new Set(files.values())];
  const sizes = await repository.sizes(ids);
  const problems = new Map(ids.map((id, index) => [id, sizeProblem(sizes[index] ?? 0)]));
  const leftOut = new Map<VaultPath, string>();
  for (const [path, id] of files) {
    const problem = problems.get(id) ?? null;
    if (problem === null) continue;
    files.delete(path);
    leftOut.set(path, problem);
  }
  return { files, leftOut, refused };
}

/** What was edited outside is in history before anything else happens to it. What history still waits for is left out. */
async function recordLocal({ changes }: RoundParts, local: LocalFiles, base: Side): Promise<void> {
  const paths = new Set([...local.files.keys(), ...base.keys()]);
  let left = [...paths].filter(
    (path) => local.files.get(path) !== base.get(path) && !local.leftOut.has(path),
  );
  while (left.length > 0) {
    const done = new Set((await changes.recordOutside(left)).done);
    if (done.size === 0) break;
    left = left.filter((path) => !done.has(path));
  }
  for (const path of left) {
    local.files.delete(path);
    local.leftOut.set(path, 'it is still being written');
  }
}

type Incoming = {
  base: string | null;
  newest: string;
  baseFiles: Side;
  theirs: Side;
  local: LocalFiles;
  ourMoves: ReadonlyMap<VaultPath, VaultPath>;
  isLeftOut: (path: VaultPath) => boolean;
  late: Late;
};

/** False when somebody saved a file meanwhile in a way that cannot be merged. */
async function bringIn(parts: RoundParts, incoming: Incoming, report: SyncReport): Promise<boolean> {
  const { repository, language, clock, deletions } = parts;
  const { base, newest, baseFiles, local, ourMoves, isLeftOut, late } = incoming;
  const ours = local.files;
  const theirMoves = await movesBetween(repository, base, newest, baseFiles, incoming.theirs);
  const machines = await repository.machines(base === newest ? null : base, newest);
  const deleted = deletedSince(baseFiles, incoming.theirs, theirMoves, isLeftOut).filter((path) =>
    ours.has(path),
  );
  checkReceiving(deleted, baseFiles, deletions, machines);
  const theirs = deletions === 'restore' ? withFiles(incoming.theirs, deleted, baseFiles) : incoming.theirs;
  const plan = planArrival({ base: baseFiles, ours, theirs, ourMoves, theirMoves, isLeftOut });
  const nextLate = lateAfter(baseFiles, theirs, isLeftOut);
  // Also those that are not late any more, until everything is in.
  await writeLate(repository, new Map([...late, ...nextLate]));
  for (const part of await inParts(repository, plan)) {
    const ids = [
      ...part.arriving.values(),
      ...[...part.arriving.keys()].map((path) => ours.get(path)),
      ...part.meeting.flatMap(({ base: was, ours: mine, theirs: other }) => [was, mine, other]),
    ];
    const contents = await repository.contents([...new Set(ids.filter((id) => typeof id === 'string'))]);
    const arrival = arrivalOf({
      plan: part,
      ours,
      leftOut: local.leftOut.keys(),
      contents,
      isFirst: base === null,
      layout: parts.view.layout(),
      language,
      now: clock(),
    });
    if (!(await write(parts, arrival, { machines, commit: part.isLast ? newest : null }, report)))
      return false;
  }
  await repository.setRefs({ base: newest });
  await writeLate(repository, nextLate);
  return true;
}

async function write(
  { repository, changes, check }: RoundParts,
  arrival: Arrival,
  { machines, commit }: { machines: string[]; commit: string | null },
  report: SyncReport,
): Promise<boolean> {
  if (arrival.changes.length === 0) return true;
  const id = randomUUID();
  if (commit !== null) await repository.setArrival(id, commit);
  check();
  const why = { id, origin: syncOrigin, summary: summaryOf(arrival, machines) };
  const written = await changes.writer.write(arrival.changes, why);
  if (written.kind === 'written') report.changes.push(id);
  if (written.kind === 'written' || written.kind === 'nothing') {
    report.received.push(...arrival.received);
    report.deleted.push(...arrival.deleted);
    report.merged.push(...arrival.merged);
    report.asked.push(...arrival.asked);
    // Before the note that it may be coming goes: without either, it would come in twice.
    if (commit !== null) await repository.setRefs({ base: commit });
  }
  if (commit !== null) await repository.setArrival(id, null);
  return written.kind === 'written' || written.kind === 'nothing';
}

/** `received vault/a.md, merged 2 files, from laptop` */
function summaryOf({ received, deleted, merged, asked }: Arrival, machines: readonly string[]): string {
  const told = Object.entries({ received, deleted, merged, 'kept both versions of': asked })
    .filter(([, paths]) => paths.length > 0)
    .map(([verb, paths]) => `${verb} ${paths.length === 1 ? paths.join('') : count(paths.length, 'file')}`);
  return `${told.join(', ')}, from ${machines.join(', ')}`;
}

/** One transaction, unless that would be too much to hold: then files that only they changed come ahead, which does no harm twice. */
async function inParts(
  repository: SyncRepository,
  { arriving, meeting }: Plan,
): Promise<(Plan & { isLast: boolean })[]> {
  const parts: Plan['arriving'][] = [];
  const rows = [...arriving];
  const sizes = await repository.sizes(rows.flatMap(([, id]) => id ?? []));
  let room = 0;
  for (const row of rows) {
    const size = row[1] === null ? 0 : (sizes.shift() ?? 0);
    if (size > room || parts.length === 0) {
      parts.push(new Map());
      room = mostBytes;
    }
    parts.at(-1)?.set(...row);
    room -= size;
  }
  const last = parts.pop() ?? new Map<VaultPath, string | null>();
  return [
    ...parts.map((part) => ({ arriving: part, meeting: [], isLast: false })),
    { arriving: last, meeting, isLast: true },
  ];
}

/** Where the newer commit has files that `base` has under another name; none when there is no older commit. */
async function movesBetween(
  repository: SyncRepository,
  older: string | null,
  newer: string,
  base: Side,
  side: Side,
): Promise<Map<VaultPath, VaultPath>> {
  if (older === null || older === newer) return new Map();
  return new Map(
    [...(await repository.moves(older, newer))]
      .map(([from, to]) => [`vault/${from}`, `vault/${to}`] as [VaultPath, VaultPath])
      .filter(([from, to]) => base.has(from) && !side.has(from) && side.has(to) && !base.has(to)),
  );
}

/** These files as they were at the last sync, as one change of the vault. */
async function restoreDeleted(
  { repository, changes, check }: RoundParts,
  base: Side,
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
  const summary = `restored ${count(files.length, 'file')} that had been deleted since the last sync`;
  const written = await changes.writer.write(files, { id, origin: syncOrigin, summary });
  if (written.kind !== 'written') return;
  report.changes.push(id);
  report.restored.push(...files.map(({ path }) => showPath(path)));
}

function withFiles(side: Side, paths: readonly VaultPath[], from: Side): Side {
  const files = new Map(side);
  for (const path of paths) {
    const id = from.get(path);
    if (id !== undefined) files.set(path, id);
  }
  return files;
}
