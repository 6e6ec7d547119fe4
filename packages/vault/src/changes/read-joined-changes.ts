import type { VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, contentEquals, createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { History } from './history.ts';
import type { JoinedStamps } from './joined-stamps.ts';

type Dependencies = { journal: JoinedStamps; history: Pick<History, 'readChanges'> };

/** The changes of a transaction; those of an external edit include the stamps that its files got afterwards. */
export async function readJoinedChanges(
  { journal, history }: Dependencies,
  id: string,
  only?: VaultPath,
): Promise<FileChange[]> {
  const changes = await history.readChanges(id, only);
  const joined: FileChange[] = [];
  for (const change of changes) {
    const stamping = journal.stampedBy(id, change.path);
    const [stamp] = stamping === undefined ? [] : await history.readChanges(stamping, change.path);
    const both =
      stamp === undefined || !contentEquals(contentBefore(stamp), contentAfter(change))
        ? null
        : createFileChange(change.path, contentBefore(change), contentAfter(stamp), change.mode);
    joined.push(both ?? change);
  }
  return joined;
}
