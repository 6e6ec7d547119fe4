import { KeepsakeError } from '../contract/index.ts';

/** The result of one check. */
export type HealthCheck = {
  name: string;
  /** Keepsake works despite a warning. */
  status: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do about it; empty when the check passed. */
  hint: string;
};

export function passed(name: string, message: string): HealthCheck {
  return { name, status: 'ok', message, hint: '' };
}

/** The result of a check that failed with this error. Errors without a hint are bugs and are rethrown. */
export function failedCheck(name: string, error: unknown): HealthCheck {
  if (!(error instanceof KeepsakeError)) throw error;
  return { name, status: 'failed', message: error.message, hint: error.hint };
}
