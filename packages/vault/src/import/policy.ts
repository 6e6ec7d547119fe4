import type { Policy } from '../changes/index.ts';
import { portableProblem } from '../vault/index.ts';

/** What an import may write: anything, but only in buckets. The person who started it has agreed to all of it. */
export const importPolicy: Policy = {
  connection: null,
  mustHold: () => null,
  mayWrite: (path, _after, _isNew, _from, { isInBucket }) =>
    isInBucket(path) ? portableProblem(path) : 'it is in no bucket',
};
