import { z } from 'zod';
import {
  fromStoredReason,
  toStoredReason,
  updatePayload,
  updateResult,
  updateSession,
} from '../contract/index.ts';
import type { UpdateInput, UpdateResult } from '../contract/index.ts';
import type { QueuedUpdate } from '../queue/index.ts';

/** The queue stores files separately. */
export const storedInput = updatePayload.omit({ files: true }).extend({
  secretLabel: z.string().optional(),
  session: updateSession.optional(),
  isFromClient: z.boolean().optional(),
});

/** Whether an update has the same content as the queued update with the same key. */
export function isSameInput(
  { text, inboxRef, files }: UpdateInput,
  contentHash: string | undefined,
  queued: QueuedUpdate | undefined,
): boolean {
  if (queued === undefined) return false;
  // Texts that differ only in a secret are equal once it is masked.
  if (contentHash !== undefined && queued.contentHash !== null && contentHash !== queued.contentHash)
    return false;
  const earlier = storedInput.parse(queued.input);
  const then = queued.files.map(({ name, bytes }) => ({ name, size: bytes }));
  const now = files.map(({ name, bytes }) => ({ name, size: bytes.length }));
  const isAlike = earlier.text === text && earlier.inboxRef === inboxRef;
  return isAlike && JSON.stringify(toComparable(then)) === JSON.stringify(toComparable(now));
}

/** Ignores the size of text that was converted from documents, because a second conversion may differ. */
function toComparable(files: { name: string; size: number }[]): [string, number | null][] {
  const hasDocuments = files.some(({ name }) => !name.endsWith('.md'));
  return files.map(({ name, size }) => [name, hasDocuments && name.endsWith('.md') ? null : size]);
}

/** Stores a reason as its code and values, without its text. */
export function toStoredResult(result: UpdateResult): unknown {
  return result.kind === 'held' ? { ...result, reason: toStoredReason(result.reason) } : result;
}

export function fromStoredResult(stored: unknown): UpdateResult {
  const isHeld = typeof stored === 'object' && stored !== null && 'reason' in stored;
  return updateResult.parse(isHeld ? { ...stored, reason: fromStoredReason(stored.reason) } : stored);
}
