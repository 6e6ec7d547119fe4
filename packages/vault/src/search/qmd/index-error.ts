import { isDatabaseCorrupt } from '../../vault/index.ts';

/** The index was created by another version or is damaged. The code that opened the index then rebuilds it. */
export class CorruptIndexError extends Error {}

/** Whether the error means that the index has to be rebuilt. */
export function isIndexUnusable(error: unknown): boolean {
  return error instanceof CorruptIndexError || isDatabaseCorrupt(error);
}
