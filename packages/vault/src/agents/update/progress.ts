import { gunzipSync, gzipSync } from 'node:zlib';
import { defineFormat } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { StagedInput } from './stage-input.ts';
import type { InputPosition } from './split-input.ts';

/** Progress in filing a long input, saved after each part so that no part is paid for twice. */
export type FilingProgress = {
  /** Where the next part starts. */
  next: InputPosition;
  /** Tokens per part, a size that the model has accepted. */
  size: number;
  /** The summaries of the parts so far. */
  summaries: string[];
  incoming: StagedInput;
  /** Whether all text so far comes from the user. */
  isPersons: boolean;
  /** The staged changes of the transaction. */
  staged: Uint8Array;
};

type StoredProgress = Omit<FilingProgress, 'incoming'> & {
  incoming: Omit<StagedInput, 'files'> & { files: [VaultPath, Buffer][] };
};

const format = defineFormat<FilingProgress>({
  name: 'progress of an update',
  version: 1,
  write: ({ incoming, ...rest }): StoredProgress => ({
    ...rest,
    incoming: { ...incoming, files: [...incoming.files] },
  }),
  readers: {
    0: (stored) => stored as FilingProgress,
    1(stored) {
      const { incoming, ...rest } = stored as StoredProgress;
      return { ...rest, incoming: { ...incoming, files: new Map(incoming.files) } };
    },
  },
});

export function serializeProgress(progress: FilingProgress): Uint8Array {
  return gzipSync(format.encode(progress), { level: 1 });
}

/** Throws if a newer version of Keepsake saved the progress; a retry with that version can continue from it. */
export function deserializeProgress(packed: Uint8Array | null): FilingProgress | null {
  return packed === null ? null : format.decode(gunzipSync(packed));
}
