import { AdvisedError } from '../contract/index.ts';

/** One thing that was looked at. */
export type Check = {
  name: string;
  /** A warning does not keep Keepsake from working. */
  status: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do about it; empty when it is fine. */
  mend: string;
};

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, mend: '' };
}

/** For what says itself what to do; anything else is not for a person to mend. */
export function failedWith(name: string, error: unknown): Check {
  if (!(error instanceof AdvisedError)) throw error;
  return { name, status: 'failed', message: error.message, mend: error.mend };
}
