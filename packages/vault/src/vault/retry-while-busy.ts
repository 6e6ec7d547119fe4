import { errorCode } from './vault-error.ts';
import { windowsErrors } from './windows-calls.ts';

const [maxTries, waitMs] = [5, 20];

/**
 * Repeats an operation on a file for a moment while it fails with EBUSY: virus scanners and search indexers of Windows
 * open a file that was just written and let no other program open it.
 */
export function retryWhileBusy<Value>(work: () => Value): Value {
  for (let tries = 1; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      const isLast = process.platform !== 'win32' || tries === maxTries;
      if (isLast || errorCode(error) !== 'EBUSY') throw error;
      sleepSync(waitMs);
    }
  }
}

const busyErrors = new Set<number>([windowsErrors.sharingViolation, windowsErrors.unableToRemoveReplaced]);

/** The same for a call that returns an error code of Windows. */
export function retryCallWhileBusy(call: () => number): number {
  for (let tries = 1; ; tries += 1) {
    const error = call();
    if (!busyErrors.has(error) || tries === maxTries) return error;
    sleepSync(waitMs);
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
