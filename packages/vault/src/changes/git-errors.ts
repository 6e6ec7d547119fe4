import type { ExecFileException } from 'node:child_process';
import { VaultError } from '../vault/index.ts';

/** Beyond these codes git did not end by itself: somebody or something ended it. */
const lastOwnCode = 129;
/** In the words of the system: what was asked for could not be had, which says nothing of what lies there. */
const ofTheMachine =
  /out of memory|cannot allocate memory|too many open files|resource temporarily unavailable|no space left|disk quota exceeded|permission denied/i;

/**
 * Whether a failure tells something of history itself. A git that was ended (Ctrl-C ends those of a whole terminal), that could
 * not be started or that lacked something tells nothing, nor does a journal that fails.
 */
export function isOfHistory(error: unknown): boolean {
  if (error instanceof VaultError) return error.code === 'damaged-history';
  const { code, signal, message } = error as ExecFileException;
  return (
    typeof code === 'number' &&
    code <= lastOwnCode &&
    (signal ?? null) === null &&
    !ofTheMachine.test(message)
  );
}

/** Whether an object is named by it: one that cannot be read shows only where it is needed. */
export function namesObject(error: unknown): boolean {
  return /\b[\da-f]{2}\/?[\da-f]{38}\b/.test((error as Error).message);
}
