/**
 * Carries forgotten words from the machine that forgot them to the others. They travel sealed with a key that was in
 * the history that contained them: see docs/adr/0072-sync-carries-removals.md.
 */
import type { Clock } from '../contract/index.ts';
import { pluralize } from '../vault/index.ts';
import { isThird } from './deletions.ts';
import type { DeletionRule } from './deletions.ts';
import { redactDeferred } from './deferred-files.ts';
import type { FolderMarker } from './folder-marker.ts';
import { findRedacted, redactCommit } from './redact-commit.ts';
import type { RedactFile } from './redact-commit.ts';
import { createRemovalKey } from './removal-seal.ts';
import {
  formatRemovalList,
  openRemovals,
  parseRemovalList,
  readRemovalList,
  removalsPath,
  sealRemovals,
} from './removal-list.ts';
import type { Removal } from './removal-list.ts';
import { readLineage, storeLineage } from './lineage.ts';
import { SyncError } from './sync-error.ts';
import type { SyncRepository } from './sync-repository.ts';

/** Removes forgotten words from this machine. */
export type RemovalHandler = {
  /**
   * Removes the words from the files of the vault and everything else on this machine, except the sync repository. Does
   * nothing where they are gone already.
   */
  apply(rules: unknown): Promise<void>;
  /** The function that removes the words from one file. */
  createRedactor(rules: unknown): RedactFile;
};

export type RemovalContext = {
  repository: SyncRepository;
  marker: FolderMarker;
  removals: RemovalHandler;
  machine: string;
  clock: Clock;
  deletions: DeletionRule;
};

/** Stores a removal for the next sync, sealed, unless it was stored before or this vault was never synced. */
export async function storeRemoval(repository: SyncRepository, removal: Removal): Promise<void> {
  const [base, stored] = [await repository.ref('base'), await readWaiting(repository)];
  if (base === null || stored.some(({ id }) => id === removal.id)) return;
  const lineage = await readLineage(repository);
  const removalKey = lineage?.removalKey ?? (await repository.removalKeyOf(base));
  await repository.setRefs({
    removals: await storeWaiting(repository, [...stored, removal], removalKey),
    lineage: await storeLineage(repository, { removalKey, origin: lineage?.origin ?? null }),
  });
}

/** Removes the words of the stored removals from the sync repository of this machine, also if sync is off. */
export async function redactSyncRepository(context: Omit<RemovalContext, 'deletions'>): Promise<void> {
  const { repository } = context;
  await repository.setRefs({ 'accepted-secrets': null });
  const waiting = await readWaiting(repository);
  const [base, lineage] = [await repository.ref('base'), await readLineage(repository)];
  if (waiting.length === 0 || base === null || lineage === null) return repository.purge();
  await redactBase(context, waiting, {
    lineage: { ...lineage, origin: lineage.origin ?? base },
    remote: null,
    waiting,
  });
}

/** Removes from this machine the words that other machines have forgotten. Returns the number of removals. */
export async function receiveRemovals(context: RemovalContext, newest: string | null): Promise<number> {
  const { repository } = context;
  if (newest === null) return 0;
  const list = await readRemovalList(repository, await repository.tree(newest));
  if (list.length === 0) return 0;
  const removalKey = await repository.removalKeyOf(newest);
  const opened = new Map<string, Removal>();
  for (const known of await listKnownKeys(context))
    for (const removal of openRemovals(list, known, removalKey) ?? []) opened.set(removal.id, removal);
  if (opened.size === 0) return 0;
  const removals = [...opened.values()];
  await checkRemovals(context, removals);
  await applyRemovals(context, removals);
  const sent = new Set(list.map(({ id }) => id));
  const waiting = (await readWaiting(repository)).filter(({ id }) => !sent.has(id));
  await redactBase(context, removals, { lineage: { removalKey, origin: newest }, remote: newest, waiting });
  return opened.size;
}

/** The removals to send. Completes their removal from this machine, which a crash may have interrupted. */
export async function prepareRemovals(context: RemovalContext): Promise<Removal[]> {
  const waiting = await readWaiting(context.repository);
  if (waiting.length > 0) await applyRemovals(context, waiting);
  return waiting;
}

/** Returns the newest commit of the remote without the words of these removals. */
export async function redactNewest(
  context: RemovalContext,
  newest: string | null,
  removals: readonly Removal[],
): Promise<string | null> {
  if (newest === null || removals.length === 0) return newest;
  return redactCommit(commitParts(context), newest, redactorOf(context, removals));
}

/** Replaces the history of the remote by one commit. Returns it, or null if another machine pushed first. */
export async function sendRemovals(
  context: RemovalContext,
  removals: readonly Removal[],
  { commit, replaced }: { commit: string; replaced: string },
): Promise<string | null> {
  const { repository } = context;
  const { machine, at } = commitParts(context);
  const removalKey = createRemovalKey();
  const sent = await readRemovalList(repository, await repository.tree(replaced));
  const list = [...sent, ...sealRemovals(removals, await repository.removalKeyOf(replaced), removalKey)];
  const files = [{ path: removalsPath, after: formatRemovalList(list) }];
  const listed = await repository.commit({ parent: commit, machine, at, files, ref: 'redacted' });
  const root = await repository.commitRoot(listed, { machine, at, removalKey });
  await repository.setPurgePending(true);
  if (!(await repository.replaceRemote(root, replaced))) return null;
  const lineage = await storeLineage(repository, { removalKey, origin: null });
  await repository.setRefs({ base: root, local: root, removals: null, redacted: null, lineage });
  return root;
}

/**
 * Deletes the objects that nothing refers to any more, here and in the remote, if words were removed. Returns false if
 * the remote keeps them.
 */
export async function purgeIfPending(repository: SyncRepository): Promise<boolean> {
  if (!(await repository.isPurgePending())) return true;
  await repository.purge();
  await repository.setPurgePending(false);
  return repository.purgeRemote();
}

/** Throws if the removals change many of the files: this may be a mistake, or an attack through the remote. */
async function checkRemovals(context: RemovalContext, removals: readonly Removal[]): Promise<void> {
  const { repository, deletions } = context;
  const base = await repository.ref('base');
  if (base === null || deletions === 'confirm') return;
  const { redacted, all } = await findRedacted(repository, base, redactorOf(context, removals));
  if (!isThird(redacted, [...all.keys()])) return;
  throw new SyncError(
    'mass-removal',
    `words that were forgotten on another machine are in ${redacted.length} of ${pluralize(all.size, 'file')}; nothing was changed`,
    { hint: 'if you forgot them on purpose, remove them here too with: keepsake sync --confirm-deletions' },
  );
}

function redactorOf({ removals }: Pick<RemovalContext, 'removals'>, all: readonly Removal[]): RedactFile {
  const redactors = all.map(({ rules }) => removals.createRedactor(rules));
  return (file) =>
    redactors.reduce<ReturnType<RedactFile>>((rest, redact) => (rest === null ? null : redact(rest)), file);
}

async function applyRemovals({ removals }: RemovalContext, all: readonly Removal[]): Promise<void> {
  for (const { rules } of all) await removals.apply(rules);
}

type CommitParts = { repository: SyncRepository; machine: string; at: number };

function commitParts({ repository, machine, clock }: Omit<RemovalContext, 'deletions'>): CommitParts {
  return { repository, machine, at: clock() };
}

/**
 * The keys of the histories that this folder was synced with. In a folder whose sync state is unknown, for example an
 * old copy, the key of every marker counts.
 */
async function listKnownKeys({ repository, marker }: RemovalContext): Promise<string[]> {
  const base = await repository.ref('base');
  const stored = (await readLineage(repository))?.removalKey;
  if (base !== null) return [stored ?? (await repository.removalKeyOf(base))];
  return [...new Set([...(stored === undefined ? [] : [stored]), ...marker.removalKeys()])];
}

type NextState = {
  lineage: { removalKey: string; origin: string };
  remote: string | null;
  waiting: readonly Removal[];
};

/**
 * Replaces `base` by a commit without the words and without a parent. All refs change at once: if the process is
 * killed before, the next sync starts over.
 */
async function redactBase(
  context: Omit<RemovalContext, 'deletions'>,
  removals: readonly Removal[],
  { lineage, remote, waiting }: NextState,
): Promise<void> {
  const { repository, marker } = context;
  const redact = redactorOf(context, removals);
  const base = await repository.ref('base');
  await repository.setPurgePending(true);
  const made = base === null ? null : await redactRoot(commitParts(context), base, redact);
  // The marker may name `redacted` until `base` names the same commit.
  await repository.setRefs({ redacted: made });
  const folderId = await repository.folderId();
  if (made !== null && folderId !== null)
    marker.write(folderId, { commit: made, removalKey: lineage.removalKey });
  await repository.setRefs({
    base: made,
    marked: made,
    local: null,
    remote,
    redacted: null,
    late: await redactDeferred(repository, redact),
    removals: await storeWaiting(repository, waiting, lineage.removalKey),
    lineage: await storeLineage(repository, lineage),
  });
  await repository.purge();
}

async function redactRoot(parts: CommitParts, base: string, redact: RedactFile): Promise<string> {
  const redacted = await redactCommit(parts, base, redact);
  return parts.repository.commitRoot(redacted, { ...parts, removalKey: createRemovalKey() });
}

/** Stands for the key of the next history, which is created when the removals are sent. */
const unsentEnd = 'unsent';

/** The removals that were not sent yet. */
async function readWaiting(repository: SyncRepository): Promise<Removal[]> {
  const [id, lineage] = [await repository.ref('removals'), await readLineage(repository)];
  if (id === null || lineage === null) return [];
  const list = parseRemovalList((await repository.contents([id])).get(id));
  return openRemovals(list, lineage.removalKey, unsentEnd) ?? [];
}

/** Returns the value for the ref `removals`. */
async function storeWaiting(
  repository: SyncRepository,
  removals: readonly Removal[],
  removalKey: string,
): Promise<string | null> {
  if (removals.length === 0) return null;
  return repository.writeBlob(formatRemovalList(sealRemovals(removals, removalKey, unsentEnd)));
}
