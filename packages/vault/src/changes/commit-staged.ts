import type { Clock } from '../contract/index.ts';
import { withTokens } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';
import type { Connection, Policy } from './change-policy.ts';
import { afterOf, deepestFirst, fileChange, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import type { Taken, Taking } from './removal-accounting.ts';
import { removedText } from './removed-text.ts';
import { relinkedIn } from './staged-changes.ts';
import type { Staging } from './staged-changes.ts';
import type { Stamps } from './stamps.ts';
import type { Why, Writer, Written } from './writer.ts';

type Parts = { writer: Writer; stamps: Stamps; policy: Policy; layout: Layout; clock: Clock };

/** Makes all of what is staged, unless a person has to see it first. */
export async function commitStaged(
  { writer, stamps, policy, layout, clock }: Parts,
  { files, removedFolders }: Pick<Staging, 'files' | 'removedFolders'>,
  why: Why,
  isConfirmed: boolean,
): Promise<Written> {
  const changes = [...files].flatMap(([path, { before, after }]) => fileChange(path, before, after) ?? []);
  const unlinked = [...files].flatMap(
    ([path, { before, after, unlinked: text = after }]) => fileChange(path, before, text) ?? [],
  );
  const { connection } = policy;
  // What the person has agreed to is neither held nor counted.
  const isAsked = connection !== null || !isConfirmed;
  const { taking, lately } = takingOf(isAsked ? unlinked : [], connection, writer, layout);
  const reason = isAsked
    ? policy.mustHold(unlinked, { ...taking, lately, relinked: relinkedIn(files) }, layout)
    : null;
  if (reason !== null && connection === null) return { kind: 'unconfirmed', reason };
  const folders = deepestFirst(removedFolders).map((path) => ({ kind: 'remove-folder' as const, path }));
  if (reason !== null)
    return { kind: 'held', id: await writer.hold([...changes, ...folders], why, reason), reason };
  const finished = changes.map((change) => ({
    ...change,
    finish: finishing(change, files, stamps, clock),
    from: files.get(change.path)?.from,
    additions: files.get(change.path)?.additions,
  }));
  return writer.write([...finished, ...folders], {
    ...why,
    ...(connection !== null && { taking: { ...taking, connection: connection.name } }),
  });
}

/** What was merged is a new text; what was not has its stamps already. */
function finishing(
  change: FileChange,
  files: Staging['files'],
  stamps: Stamps,
  clock: Clock,
): (bytes: Buffer, present: Buffer | null) => Buffer {
  return (bytes, present) => {
    if (isEqual(bytes, afterOf(change))) return bytes;
    const staged = files.get(change.path);
    if (staged?.keepsStamps !== true) return stamps.set(change.path, present, bytes, clock());
    return staged.unlinked === undefined ? bytes : Buffer.from(withTokens(bytes.toString()));
  };
}

function takingOf(
  changes: readonly FileChange[],
  connection: Connection | null,
  writer: Writer,
  layout: Layout,
): { taking: Omit<Taking, 'connection'>; lately: Taken } {
  if (connection === null)
    return {
      taking: { removed: removedText(changes, layout), own: new Set() },
      lately: { characters: 0, files: 0 },
    };
  const { name, mayTakeBack, isSpent } = connection;
  const { isOwn, ...lately } = writer.lately(name);
  const isCounted = (change: FileChange): boolean =>
    change.kind === 'create' ||
    !(isSpent?.(change.path) === true || (mayTakeBack && isOwn(change.path, change.before)));
  const counted = changes.filter(isCounted);
  const removed = removedText(counted, layout);
  // What is new is its own only if it was not taken from another file.
  const isNothingTaken =
    mayTakeBack &&
    removed.length === 0 &&
    (counted.length === 1 ||
      counted.every((each) => each.kind === 'create' || removedText([each], layout).length === 0));
  const own = changes.filter((each) => isNothingTaken && (each.kind === 'create' || !isCounted(each)));
  return { taking: { removed, own: new Set(own.map(({ path }) => path)) }, lately };
}
