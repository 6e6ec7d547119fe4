import { gunzipSync, gzipSync } from 'node:zlib';
import { defineFormat } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { Incoming } from './incoming.ts';
import type { Position } from './portions.ts';

/** How far a long input was filed: kept after each portion, so that none is paid for twice. */
export type Progress = {
  /** Where the next portion begins. */
  next: Position;
  /** Of how many tokens portions are: the model has taken those. */
  size: number;
  /** What was said of each portion so far. */
  summaries: string[];
  incoming: Incoming;
  /** Whether all words until now are the person's own. */
  isPersons: boolean;
  /** What the transaction has staged. */
  staged: Uint8Array;
};

type StoredProgress = Omit<Progress, 'incoming'> & {
  incoming: Omit<Incoming, 'files'> & { files: [VaultPath, Buffer][] };
};

const format = defineFormat<Progress>({
  name: 'progress of an update',
  version: 1,
  write: ({ incoming, ...rest }): StoredProgress => ({
    ...rest,
    incoming: { ...incoming, files: [...incoming.files] },
  }),
  readers: {
    0: (stored) => stored as Progress,
    1(stored) {
      const { incoming, ...rest } = stored as StoredProgress;
      return { ...rest, incoming: { ...incoming, files: new Map(incoming.files) } };
    },
  },
});

export function packProgress(progress: Progress): Uint8Array {
  return gzipSync(format.encode(progress), { level: 1 });
}

/** Throws for progress that a newer version has saved: a retry with that version continues from it. */
export function unpackProgress(packed: Uint8Array | null): Progress | null {
  return packed === null ? null : format.decode(gunzipSync(packed));
}
