import { fromStoredReason } from '../contract/index.ts';
import type { StoredFile } from './file-store.ts';
import type { QueuedUpdate, UpdateState } from './update-queue.ts';
import { dueAt } from './queue-timing.ts';
import type { QueueOptions } from './queue-timing.ts';

/** A row of `updates`, as returned by `select *`. */
export type UpdateRow = {
  id: string;
  accepted_at: number;
  state: UpdateState;
  attempts: number;
  not_before: number;
  input: string;
  files: string;
  content_hash: string | null;
  reason: string | null;
  result: string | null;
  fence: number;
  leased_until: number;
};

export function updateFrom(row: UpdateRow, now: number, timing: QueueOptions): QueuedUpdate {
  return {
    id: row.id,
    input: JSON.parse(row.input) as unknown,
    files: JSON.parse(row.files) as StoredFile[],
    contentHash: row.content_hash,
    state: row.state,
    acceptedAt: row.accepted_at,
    attempts: row.attempts,
    reason: row.reason === null ? null : fromStoredReason(row.reason),
    nextAttemptAt:
      row.state === 'waiting' && (row.attempts > 0 || row.not_before > 0) ? dueAt(row, now, timing) : null,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  };
}
