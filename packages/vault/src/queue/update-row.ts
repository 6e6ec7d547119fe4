import { fromStoredReason } from '../contract/index.ts';
import type { StoredFile } from './file-store.ts';
import type { QueuedUpdate, UpdateState } from './port.ts';
import { dueAt } from './queue-timing.ts';
import type { QueueTiming } from './queue-timing.ts';

/** A row of `updates`, as every statement with `select *` gives it. */
export type UpdateRow = {
  id: string;
  accepted_at: number;
  state: UpdateState;
  attempts: number;
  not_before: number;
  input: string;
  files: string;
  reason: string | null;
  result: string | null;
  fence: number;
  leased_until: number;
};

export function updateFrom(row: UpdateRow, now: number, timing: QueueTiming): QueuedUpdate {
  return {
    id: row.id,
    input: JSON.parse(row.input) as unknown,
    files: JSON.parse(row.files) as StoredFile[],
    state: row.state,
    acceptedAt: row.accepted_at,
    attempts: row.attempts,
    reason: row.reason === null ? null : fromStoredReason(row.reason),
    nextAttemptAt: row.state === 'waiting' && row.attempts > 0 ? dueAt(row, now, timing) : null,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  };
}
