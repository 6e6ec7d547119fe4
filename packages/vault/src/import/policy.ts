import type { WritePolicy } from '../changes/index.ts';
import { portableProblem } from '../vault/index.ts';

/** An import may write any file, but only in buckets. The user who started it has approved all of it. */
export const importPolicy: WritePolicy = {
  connection: null,
  holdReason: () => null,
  writeProblem: (path, _after, _isNew, _from, { isInBucket }) =>
    isInBucket(path) ? portableProblem(path) : 'not in a bucket',
};
