import type { Keepsake } from '../app/index.ts';
import { createLimiter } from '../contract/index.ts';
import type { ImportReport } from '../import/index.ts';

type ArchiveImport = {
  /** Chosen by the caller, to ask for the progress. */
  id: string;
  name: string;
  bytes: Buffer;
  isDryRun: boolean;
  author: string | undefined;
  /** Throws if the caller has lost access. */
  assertAllowed: () => void;
  signal: AbortSignal;
};

type Phase = 'reading' | 'converting' | 'writing' | 'recording';
type Progress = { phase: Phase; done: number; total: number };

/** Imports archives that were uploaded, one after the other. */
export type Importing = {
  run(request: ArchiveImport): Promise<ImportReport>;
  /** Null unless the import is running or waits. */
  progress(id: string): Progress | null;
};

export function createImporting(keepsake: Keepsake): Importing {
  const runOne = createLimiter();
  const running = new Map<string, Progress>();
  return {
    async run({ id, name, bytes, ...request }) {
      running.set(id, { phase: 'reading', done: 0, total: 0 });
      try {
        return await runOne(async () => {
          request.signal.throwIfAborted();
          // Loaded on demand, because few servers import anything.
          const { importSource, readZipBytes } = await import('../import/index.ts');
          const source = await readZipBytes(name, bytes, keepsake.state.folder());
          const onProgress = (phase: Phase, done: number, total: number): void =>
            void running.set(id, { phase, done, total });
          return importSource(keepsake, { ...request, source, onProgress });
        });
      } finally {
        running.delete(id);
      }
    },
    progress: (id) => running.get(id) ?? null,
  };
}
