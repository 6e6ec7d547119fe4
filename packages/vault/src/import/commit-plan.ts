import { createHash } from 'node:crypto';
import { AppError } from '../app/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, WriteResult } from '../changes/index.ts';
import { computeRevision, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import type { Plan } from './plan-types.ts';
import { importPolicy } from './policy.ts';
import type { ImportRecordStore } from './records.ts';

type Parts = {
  view: VaultView;
  changes: Changes;
  records: ImportRecordStore;
  target: VaultPath;
  /** The source that the items belong to. */
  source: string;
  author?: string | undefined;
  summary: string;
  onFile: (done: number, total: number) => void;
};

export type CommitResult = WriteResult | { kind: 'made-already'; id: string };

/** Whether the plan changes any file. */
export function hasChanges({ items }: Plan): boolean {
  return items.some(({ files }) => files.some(({ before, after }) => !isSame(before, after)));
}

/**
 * Commits everything in one transaction. Its id is derived from the plan, so that a retry by any process applies it
 * only once.
 */
export async function commitPlan(plan: Plan, parts: Parts): Promise<CommitResult> {
  const { view, changes, records, target, source, author = 'import', summary, onFile } = parts;
  const id = deriveChangeId(plan, parts);
  const transaction = createTransaction(view, changes, importPolicy, Date.now);
  for (const { path, before, after } of plan.items.flatMap(({ files }) => files)) {
    if (isSame(before, after)) continue;
    const removed = before === null ? null : transaction.remove(path, before);
    const placed = after === null ? null : transaction.create(path, after);
    for (const staged of [removed, placed])
      if (staged?.ok === false) throw new AppError('bad-target', `${path}: ${staged.reason}`);
  }
  records.record(
    id,
    target,
    plan.items.flatMap(({ candidate, files }) =>
      files.flatMap(({ path, after }) =>
        after === null
          ? []
          : [
              {
                source,
                item: candidate.id,
                digest: candidate.digest,
                path,
                revision: computeRevision(after),
              },
            ],
      ),
    ),
  );
  try {
    return await transaction.commit({ id, origin: author, summary, onFile });
  } catch (error) {
    if (!(error instanceof VaultError) || !['made-already', 'lost-lock'].includes(error.code)) throw error;
    // Another process committed the plan first, or completed this commit while this process was suspended.
    await changes.writer.recover();
    if (changes.find(id)?.entry.state !== 'applied') throw error;
    return { kind: 'made-already', id };
  }
}

/** The same plan has the same id; a plan that was undone gets a new one. */
function deriveChangeId({ items }: Plan, { changes, target, source }: Parts): string {
  const all = items.map(({ candidate, files }) => [
    candidate.id,
    candidate.digest,
    ...files.map(({ path }) => path),
  ]);
  for (let round = 0; ; round += 1) {
    const digest = createHash('sha256')
      .update(JSON.stringify([target, source, round, all]))
      .digest('hex');
    const id = digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const state = changes.find(id)?.entry.state;
    if (state === undefined || state === 'reverted' || changes.undonePaths(id).size === 0) return id;
  }
}

function isSame(before: Buffer | null, after: Buffer | null): boolean {
  return before !== null && after !== null && before.equals(after);
}
