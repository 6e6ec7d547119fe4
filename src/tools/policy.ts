import type { FileChange, Policy } from '../changes/index.ts';
import {
  bodyOf,
  endingOf,
  isFixed,
  isInInbox,
  isTaskList,
  isTree,
  kindOf,
  nameOf,
  portableProblem,
  revisionOf,
  showPath,
  splitLines,
} from '../vault/index.ts';
import type { Revision } from '../vault/index.ts';

const mostDeleted = 10;
const longFile = 100;

/** What may be written by a tool, whoever calls it. `received` are contents that came with the same update, and their endings. */
export function writePolicy(
  whenHeld: Policy['whenHeld'],
  received: ReadonlyMap<Revision, string> = new Map(),
): Policy {
  return {
    whenHeld,
    mustHold: reasonToHold,
    mayWrite(path, after, isNew, from) {
      if (isTree(path)) return 'tree.md is generated and not for writing';
      if (after === null)
        return isFixed(path) ? 'it belongs to every vault and cannot be deleted or moved' : null;
      const ending = endingOf(nameOf(path));
      const isKept = from !== undefined && endingOf(nameOf(from)) === ending;
      if (kindOf(nameOf(path)) !== 'markdown' && !isKept && received.get(revisionOf(after)) !== ending)
        return 'only markdown can be written; give the name the ending .md';
      return isNew ? portableProblem(path) : null;
    },
  };
}

/** Large destructive changes: many files deleted, or most of a long one gone. A moved file is not deleted. */
function reasonToHold(changes: readonly FileChange[]): string | null {
  const arrived = new Set(
    changes.flatMap((each) => (each.kind === 'create' ? [revisionOf(each.after)] : [])),
  );
  const deleted = changes.filter((each) => isGone(each) && !arrived.has(revisionOf(each.before)));
  if (deleted.length > mostDeleted) return `it deletes ${deleted.length} files`;
  const gutted = changes.find((each) => {
    if (each.kind !== 'replace' || isInInbox(each.path) || isTaskList(each.path)) return false;
    const [had, has] = [splitLines(each.before.toString()), splitLines(each.after.toString())];
    return had.length > longFile && linesMissing(had, has) > had.length / 2;
  });
  return gutted === undefined ? null : `it removes more than half of ${showPath(gutted.path)}`;
}

/** A file without words is as good as deleted. */
function isGone(change: FileChange): change is Exclude<FileChange, { kind: 'create' }> {
  const isEmpty = (bytes: Buffer): boolean => {
    return bodyOf(bytes.toString()).trim() === '';
  };
  if (change.kind === 'replace') return isEmpty(change.after) && !isEmpty(change.before);
  return change.kind === 'remove';
}

/** How many of these lines are not among the others, each counted once. */
function linesMissing(lines: string[], others: string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  }).length;
}
