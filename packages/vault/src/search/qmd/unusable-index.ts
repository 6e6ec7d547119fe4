import { isDamage } from '../../vault/index.ts';

/** The index was made in another way, or says what cannot be. Whoever opened it makes a new one. */
export class UnusableIndex extends Error {}

/** Whether an index has to be made anew. */
export function isUnusable(error: unknown): boolean {
  return error instanceof UnusableIndex || isDamage(error);
}
