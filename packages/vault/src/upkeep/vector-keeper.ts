import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../contract/index.ts';
import type { EmbeddingOptions, Pace } from '../search/index.ts';
import { createLoop } from './loop.ts';
import type { Loop } from './loop.ts';
import type { Report } from './report.ts';
import type { Timing } from './timing.ts';

export type KeepVectors = {
  /** Gives vectors to all sections that want some; gives how many there were, none where there is no model. */
  embed(options: Required<Pick<EmbeddingOptions, 'signal' | 'pace' | 'onProgress'>>): Promise<number>;
  dropGone(): Promise<unknown>;
  /** Whether somebody waits for a search. */
  isSearching(): boolean;
};

type Parts = KeepVectors & {
  report: Report;
  elapsed: Clock;
  timing: Pick<Timing, 'modelPause' | 'longestModelPause' | 'dropGoneEvery'>;
};

/** How often something that takes long is told of. */
const tellEvery = 60_000;
/** Between two times, however often it is woken: each looks at the configuration and at the model's file. */
const shortestRest = 200;
/** When there is nothing to do: somebody will wake it before. */
const nextDay = 24 * 60 * 60_000;

/** Makes vectors in the background, in a loop of its own: nothing else waits for a model. */
export function createVectorKeeper(parts: Parts): Loop {
  const { elapsed, timing, report } = parts;
  const stopping = new AbortController();
  const pace = createPace(() => parts.isSearching(), stopping.signal);
  let dueAt = elapsed() + nextDay;
  let pause = { length: 0, until: -Infinity };
  let dropGoneAt = elapsed() + timing.dropGoneEvery;

  const embed = async (): Promise<void> => {
    let [done, left, told, toldAt] = [0, 0, 0, elapsed()];
    const tell = (): void => {
      if (done > told) report({ kind: 'embedded', sections: done - told, left });
      [told, toldAt] = [done, elapsed()];
    };
    const onProgress = (now: number, total: number): void => {
      [done, left] = [now, total - now];
      if (elapsed() >= toldAt + tellEvery) tell();
    };
    try {
      await parts.embed({ signal: stopping.signal, pace, onProgress });
      left = 0;
    } finally {
      tell();
    }
  };
  const work = async (): Promise<void> => {
    dueAt = elapsed() + nextDay;
    try {
      await embed();
      pause = { length: 0, until: elapsed() + shortestRest };
      if (elapsed() < dropGoneAt) return;
      dropGoneAt = elapsed() + timing.dropGoneEvery;
      await parts.dropGone();
    } catch (error) {
      if (stopping.signal.aborted) return;
      const length = Math.min(Math.max(2 * pause.length, timing.modelPause), timing.longestModelPause);
      pause = { length, until: elapsed() + length };
      dueAt = pause.until;
      report({ kind: 'failed', doing: 'making vectors', error });
    }
  };
  const loop = createLoop({ nextAt: () => dueAt, work, elapsed });
  return {
    wake() {
      dueAt = Math.max(elapsed(), pause.until);
      loop.wake();
    },
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

/** What a call to the model should take, in milliseconds: a search that comes meanwhile waits for it. */
const shortCall = 100;
const mostTexts = 32;

/** Half of the time at most, in short calls, and none while somebody searches. */
function createPace(isSearching: () => boolean, signal: AbortSignal): Pace {
  let texts = 1;
  return {
    texts: () => texts,
    async rest(took) {
      if (took < shortCall / 2) texts = Math.min(texts * 2, mostTexts);
      else if (took > shortCall) texts = Math.max(1, Math.floor(texts / 2));
      await sleep(took, undefined, { signal });
      while (isSearching()) await sleep(shortCall / 4, undefined, { signal });
    },
  };
}
