import { HTTPException } from 'hono/http-exception';
import { AppError } from '../../app/index.ts';
import { describeError, LimitError } from '../../contract/index.ts';
import type { KeepsakeError } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { errorCode, VaultError } from '../../vault/index.ts';
import { Problem } from './problem.ts';

/** Converts a thrown error to a problem. Messages of unknown errors are not exposed. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) return fromHttpException(error);
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof LimitError) return fromLimitError(error);
  if (error instanceof VaultError)
    return new Problem('unavailable', { ...toProblemOptions(error), headers: soon });
  if (errorCode(error)?.startsWith('SQLITE_') === true)
    return new Problem('unavailable', {
      detail: `the state folder is not usable (${describeError(error)})`,
      hint: 'free disk space or run keepsake doctor, then retry',
      headers: soon,
      cause: error,
    });
  if (error instanceof ModelError) return new Problem('model-failed', toProblemOptions(error));
  return new Problem('internal', { cause: error });
}

/** An error without a hint gets the default hint of the problem. */
function toProblemOptions(error: KeepsakeError) {
  const { message, hint } = error;
  return { detail: message, ...(hint !== '' && { hint }), cause: error };
}

const soon = { 'retry-after': '1' };

function fromAppError(error: AppError): Problem {
  const options = toProblemOptions(error);
  switch (error.code) {
    case 'bad-input':
    case 'bad-target':
      return new Problem('refused', options);
    case 'no-model':
      return new Problem('no-model', options);
    case 'stopped':
      return new Problem('model-failed', { hint: 'narrow the question or raise the limits', ...options });
    case 'bad-configuration':
    case 'bad-state':
    case 'no-vault':
    case 'vault-gone':
      return new Problem('unavailable', { hint: 'run keepsake doctor', ...options });
  }
}

function fromLimitError(error: LimitError): Problem {
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === null) return new Problem('full', toProblemOptions(error));
  return new Problem('too-many', {
    ...toProblemOptions(error),
    headers: { 'retry-after': `${retryAfterSeconds}` },
  });
}

/** Errors of the framework; their messages describe only the request. */
function fromHttpException({ status, message }: HTTPException): Problem {
  if (status === 415) return new Problem('wrong-type');
  return status === 400 ? new Problem('bad-request', { detail: message }) : new Problem('internal');
}
