import type { Clock } from '../contract/index.ts';
import { createYielder, updateTokens } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';
import type { Connection, WritePolicy } from './change-policy.ts';
import { contentAfter, sortDeepestFirst, createFileChange, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import type { RemovalTotals, Removal } from './removal-accounting.ts';
import { findRemovedTextAsync } from './find-removed-text.ts';
import { relinkedIn } from './staged-changes.ts';
import type { Staging } from './staged-changes.ts';
import type { Stamper } from './stamps.ts';
import type { ChangeMetadata } from './change-metadata.ts';
import type { Writer, WriteResult } from './writer.ts';

type Dependencies = { writer: Writer; stamps: Stamper; policy: WritePolicy; layout: Layout; clock: Clock };

/** Writes all staged changes, or holds them if they need approval. */
export async function commitStaged(
  { writer, stamps, policy, layout, clock }: Dependencies,
  { files, removedFolders }: Pick<Staging, 'files' | 'removedFolders'>,
  metadata: ChangeMetadata,
  isConfirmed: boolean,
): Promise<WriteResult> {
  const changes = [...files].flatMap(([path, { before, after, from }]) => {
    const change = createFileChange(path, before, after);
    return change === null ? [] : [{ ...change, from }];
  });
  const unlinked = [...files].flatMap(
    ([path, { before, after, unlinked: text = after }]) => createFileChange(path, before, text) ?? [],
  );
  const { connection } = policy;
  const pause = createYielder();
  // Changes that the user has confirmed are not held, and the text that they remove is not counted.
  const needsReview = connection !== null || !isConfirmed;
  const { removal, recent } = await computeRemoval(needsReview ? unlinked : [], connection, writer, layout);
  const reason = needsReview
    ? policy.holdReason(unlinked, { ...removal, recent, relinked: relinkedIn(files) }, layout)
    : null;
  await pause();
  if (reason !== null && connection === null) return { kind: 'needs-confirmation', reason };
  const folders = sortDeepestFirst(removedFolders).map((path) => ({ kind: 'remove-folder' as const, path }));
  if (reason !== null)
    return {
      kind: 'held',
      id: await writer.holdForApproval([...changes, ...folders], metadata, reason),
      reason,
    };
  const finalized = changes.map((change) => ({
    ...change,
    finalize: createFinalizer(change, files, stamps, clock),
    additions: files.get(change.path)?.additions,
  }));
  return writer.write([...finalized, ...folders], {
    ...metadata,
    ...(connection !== null && { removal: { ...removal, connection: connection.name } }),
  });
}

/** Updates the stamps of a text that was merged; any other text already has its stamps. */
function createFinalizer(
  change: FileChange,
  files: Staging['files'],
  stamps: Stamper,
  clock: Clock,
): (bytes: Buffer, current: Buffer | null) => Buffer {
  return (bytes, current) => {
    if (contentEquals(bytes, contentAfter(change))) return bytes;
    const staged = files.get(change.path);
    if (staged?.keepsStamps !== true) return stamps.apply(change.path, current, bytes, clock());
    return staged.unlinked === undefined ? bytes : Buffer.from(updateTokens(bytes.toString()));
  };
}

/** The text that the changes remove, and what the connection has removed within the last hour. */
export async function computeRemoval(
  changes: readonly FileChange[],
  connection: Connection | null,
  writer: Writer,
  layout: Layout,
): Promise<{ removal: Omit<Removal, 'connection'>; recent: RemovalTotals }> {
  if (connection === null)
    return {
      removal: { removed: await findRemovedTextAsync(changes, layout), own: new Set() },
      recent: { characters: 0, files: 0 },
    };
  const { name, mayRemoveOwnText, isDisposable } = connection;
  const { wroteWholeFile } = writer.recentActivity(name);
  const isCounted = (change: FileChange): boolean =>
    change.kind === 'create' ||
    !(
      isDisposable?.(change.path) === true ||
      (mayRemoveOwnText && wroteWholeFile(change.path, change.before))
    );
  const counted = changes.filter(isCounted);
  const removed = await findRemovedTextAsync(counted, layout);
  // A new file counts as the connection's own only if its text was not moved from another file.
  let removesNothing = mayRemoveOwnText && removed.length === 0;
  for (const each of counted.length === 1 ? [] : counted)
    removesNothing &&= each.kind === 'create' || (await findRemovedTextAsync([each], layout)).length === 0;
  const own = changes.filter((each) => removesNothing && (each.kind === 'create' || !isCounted(each)));
  // Read last, because other changes may have been written meanwhile.
  const { characters, files } = writer.recentActivity(name);
  return { removal: { removed, own: new Set(own.map(({ path }) => path)) }, recent: { characters, files } };
}
