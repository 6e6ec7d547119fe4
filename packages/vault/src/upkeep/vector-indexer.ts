import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../contract/index.ts';
import type { EmbeddingOptions, EmbeddingThrottle } from '../search/index.ts';
import { createLoop } from './loop.ts';
import type { Loop } from './loop.ts';
import type { ReportEvent } from './upkeep-events.ts';
import type { UpkeepTiming } from './timing.ts';

export type VectorAccess = {
  /** Computes vectors for all chunks that need one; returns how many there were, 0 if there is no model. */
  embed(options: Required<Pick<EmbeddingOptions, 'signal' | 'throttle' | 'onProgress'>>): Promise<number>;
  deleteOrphaned(): Promise<unknown>;
  /** Whether a search is running. */
  isSearching(): boolean;
};

type Parts = VectorAccess & {
  report: ReportEvent;
  monotonicNow: Clock;
  timing: Pick<UpkeepTiming, 'minModelBackoffMs' | 'maxModelBackoffMs' | 'vectorCleanupIntervalMs'>;
};

/** Interval between progress reports. */
const progressIntervalMs = 60_000;
/**
 * Minimum interval between two passes, however often the indexer is woken: each pass reads the configuration and the
 * model file.
 */
const minIntervalMs = 200;
/** Interval while there is nothing to do; the indexer is normally woken earlier. */
const idleIntervalMs = 24 * 60 * 60_000;

/** Computes vectors in the background, in its own loop, so that nothing else waits for a model. */
export function createVectorIndexer(parts: Parts): Loop {
  const { monotonicNow, timing, report } = parts;
  const stopController = new AbortController();
  const throttle = createThrottle(() => parts.isSearching(), stopController.signal);
  let dueAt = monotonicNow() + idleIntervalMs;
  let backoff = { durationMs: 0, until: -Infinity };
  let nextCleanupAt = monotonicNow() + timing.vectorCleanupIntervalMs;

  const embed = async (): Promise<void> => {
    let [done, remaining, reported, reportedAt] = [0, 0, 0, monotonicNow()];
    const reportProgress = (): void => {
      if (done > reported) report({ kind: 'embedded', sections: done - reported, left: remaining });
      [reported, reportedAt] = [done, monotonicNow()];
    };
    const onProgress = (now: number, total: number): void => {
      [done, remaining] = [now, total - now];
      if (monotonicNow() >= reportedAt + progressIntervalMs) reportProgress();
    };
    try {
      await parts.embed({ signal: stopController.signal, throttle, onProgress });
      remaining = 0;
    } finally {
      reportProgress();
    }
  };
  const work = async (): Promise<void> => {
    dueAt = monotonicNow() + idleIntervalMs;
    try {
      await embed();
      backoff = { durationMs: 0, until: monotonicNow() + minIntervalMs };
      if (monotonicNow() < nextCleanupAt) return;
      nextCleanupAt = monotonicNow() + timing.vectorCleanupIntervalMs;
      await parts.deleteOrphaned();
    } catch (error) {
      if (stopController.signal.aborted) return;
      const durationMs = Math.min(
        Math.max(2 * backoff.durationMs, timing.minModelBackoffMs),
        timing.maxModelBackoffMs,
      );
      backoff = { durationMs, until: monotonicNow() + durationMs };
      dueAt = backoff.until;
      report({ kind: 'failed', operation: 'indexing documents and vectors', error });
    }
  };
  const loop = createLoop({ nextAt: () => dueAt, work, monotonicNow });
  return {
    wake() {
      dueAt = Math.max(monotonicNow(), backoff.until);
      loop.wake();
    },
    async stop() {
      stopController.abort();
      await loop.stop();
    },
  };
}

/** Target duration of a call to the model, in milliseconds: a search that starts meanwhile has to wait for it. */
const targetCallMs = 100;
const maxBatchTexts = 32;

/** Uses at most half of the time, in short batches, and pauses while a search is running. */
function createThrottle(isSearching: () => boolean, signal: AbortSignal): EmbeddingThrottle {
  let texts = 1;
  return {
    maxBatchSize: () => texts,
    async afterBatch(durationMs) {
      if (durationMs < targetCallMs / 2) texts = Math.min(texts * 2, maxBatchTexts);
      else if (durationMs > targetCallMs) texts = Math.max(1, Math.floor(texts / 2));
      await sleep(durationMs, undefined, { signal });
      while (isSearching()) await sleep(targetCallMs / 4, undefined, { signal });
    },
  };
}
