import { HTTPException } from 'hono/http-exception';
import { AppError } from '../../app/index.ts';
import { describeError, LimitError } from '../../contract/index.ts';
import type { AdvisedError } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { systemCode, VaultError } from '../../vault/index.ts';
import { Problem } from './problem.ts';

/** What to answer when something was thrown. What is not known to be fit for others is not told. */
export function explainError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) return explainStatus(error);
  if (error instanceof AppError) return explainApp(error);
  if (error instanceof LimitError) return explainLimit(error);
  if (error instanceof VaultError) return new Problem('unavailable', { ...said(error), headers: soon });
  if (systemCode(error)?.startsWith('SQLITE_') === true)
    return new Problem('unavailable', {
      detail: `the state folder cannot be used (${describeError(error)})`,
      next: 'make room on its disk, or see what is wrong with keepsake doctor, then try again',
      headers: soon,
      cause: error,
    });
  if (error instanceof ModelError) return new Problem('model-failed', said(error));
  return new Problem('internal', { cause: error });
}

/** Without advice the problem has its own. */
function said(error: AdvisedError) {
  const { message, mend } = error;
  return { detail: message, ...(mend !== '' && { next: mend }), cause: error };
}

const soon = { 'retry-after': '1' };

function explainApp(error: AppError): Problem {
  const options = said(error);
  switch (error.code) {
    case 'bad-input':
    case 'bad-target':
      return new Problem('refused', options);
    case 'no-model':
      return new Problem('no-model', options);
    case 'stopped':
      return new Problem('model-failed', { next: 'ask more narrowly, or raise the limits', ...options });
    case 'bad-configuration':
    case 'bad-state':
    case 'no-vault':
      return new Problem('unavailable', { next: 'see keepsake doctor', ...options });
  }
}

function explainLimit(error: LimitError): Problem {
  const { retryAfter } = error;
  if (retryAfter === null) return new Problem('full', said(error));
  return new Problem('too-many', { ...said(error), headers: { 'retry-after': `${retryAfter}` } });
}

/** From the framework: its words are about the request alone. */
function explainStatus({ status, message }: HTTPException): Problem {
  if (status === 415) return new Problem('wrong-type');
  return status === 400 ? new Problem('bad-request', { detail: message }) : new Problem('internal');
}
