import type { ExecFileException } from 'node:child_process';
import { VaultError } from '../vault/index.ts';

/** Higher exit codes mean that git did not exit by itself but was killed. */
const maxGitExitCode = 129;
/** Errors of the environment, which say nothing about the state of the repository. */
const environmentErrorPattern =
  /out of memory|cannot allocate memory|too many open files|resource temporarily unavailable|no space left|disk quota exceeded|permission denied/i;

/**
 * Whether an error indicates a problem with the history repository itself. It does not if git was killed (Ctrl-C
 * kills all processes of a terminal), could not be started or lacked resources, or if the journal failed.
 */
export function isRepositoryError(error: unknown): boolean {
  if (error instanceof VaultError) return error.code === 'damaged-history';
  const { code, signal, message } = error as ExecFileException;
  return (
    typeof code === 'number' &&
    code <= maxGitExitCode &&
    (signal ?? null) === null &&
    !environmentErrorPattern.test(message)
  );
}

/**
 * Whether a signal killed git or a process that it had started. Not if Keepsake ended git itself: that failure has a code of its own.
 */
export function wasKilled({ code, signal }: { code?: unknown; signal?: unknown }, stderr: Buffer): boolean {
  if (typeof code === 'string') return false;
  return (signal ?? null) !== null || /^(?:error|fatal): .* died of signal \d+$/m.test(stderr.toString());
}

/** History and sync repositories are only changed in steps that the next run continues. */
export function killedError(): VaultError {
  return new VaultError('killed', 'git was killed', { hint: 'nothing is lost; run the command again' });
}

/** Whether git, or the process that starts it, was killed. Such a failure says nothing about the repository or the remote. */
export function isKilledError(error: unknown): boolean {
  return error instanceof VaultError && error.code === 'killed';
}

/** Whether the error message names an object: a damaged object causes an error only when it is read. */
export function mentionsObject(error: unknown): boolean {
  return /\b[\da-f]{2}\/?[\da-f]{38}\b/.test((error as Error).message);
}
