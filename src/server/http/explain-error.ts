import { HTTPException } from 'hono/http-exception';
import { AppError } from '../../app/index.ts';
import { ModelError } from '../../models/index.ts';
import { VaultError } from '../../vault/index.ts';
import { Problem } from './problem.ts';

/** What to answer when something was thrown. What is not known to be fit for others is not told. */
export function explainError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) return explainStatus(error);
  if (error instanceof AppError) return explainApp(error);
  if (error instanceof VaultError)
    return new Problem('unavailable', { detail: error.message, headers: soon, cause: error });
  if (error instanceof ModelError)
    return new Problem('model-failed', { detail: error.message, cause: error });
  return new Problem('internal', { cause: error });
}

const soon = { 'retry-after': '1' };

function explainApp(error: AppError): Problem {
  const options = { detail: error.message, cause: error };
  switch (error.code) {
    case 'bad-input':
    case 'bad-target':
      return new Problem('refused', options);
    case 'no-model':
      return new Problem('no-model', options);
    case 'stopped':
      return new Problem('model-failed', { ...options, next: 'ask more narrowly, or raise the limits' });
    case 'bad-configuration':
    case 'bad-state':
    case 'no-vault':
      return new Problem('unavailable', { ...options, next: 'see keepsake doctor' });
  }
}

/** From the framework: its words are about the request alone. */
function explainStatus({ status, message }: HTTPException): Problem {
  if (status === 415) return new Problem('wrong-type');
  return status === 400 ? new Problem('bad-request', { detail: message }) : new Problem('internal');
}
