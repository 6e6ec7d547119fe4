import type { Forgetting } from '../contract/index.ts';
import { AppError } from './error.ts';

/** Not implemented yet. */
export function createForgetting(): Forgetting {
  const refuse = async (): Promise<never> => {
    throw new AppError('bad-input', 'forgetting is not available yet');
  };
  return { plan: refuse, run: refuse };
}
