import { availableParallelism } from 'node:os';
import { loadLlama } from './llama.ts';
import type { Llama } from './llama.ts';

export type LocalRuntimeOptions = {
  /** Where `installRuntime` put it. */
  runtimeFolder: string;
  threads?: number;
  /** Whether a graphics card may be used; the runtime must have been installed for it. */
  gpu?: boolean;
};

/** What runs the local models of a process, shared by them: threads and memory are counted once. */
export type LocalRuntime = {
  threads: number;
  gpu: boolean;
  /** Loads it for the first who enters. Whoever has entered leaves once, when its model is unloaded. */
  enter(): Promise<Llama>;
  /** Unloads it with the last who leaves, without waiting for that. */
  leave(): void;
};

export function createLocalRuntime({ runtimeFolder, ...options }: LocalRuntimeOptions): LocalRuntime {
  const { threads = defaultThreads(availableParallelism()), gpu = false } = options;
  const state: { loading: Promise<Llama> | null; inside: number } = { loading: null, inside: 0 };
  return {
    threads,
    gpu,
    async enter() {
      const loading = (state.loading ??= loadLlama({ runtimeFolder, threads, gpu }));
      state.inside += 1;
      try {
        return await loading;
      } catch (error) {
        state.inside -= 1;
        if (state.loading === loading) state.loading = null; // what was missing may be there at the next call
        throw error;
      }
    },
    leave() {
      state.inside -= 1;
      if (state.inside > 0) return;
      // The library loses track of a model that failed to load, and may wait for ever that it is unloaded.
      void state.loading?.then((llama) => llama.dispose()).catch(() => undefined);
      state.loading = null;
    },
  };
}

/**
 * One core is left to others: the threads of a computation wait for each other without sleeping, so that one which has
 * to share its core holds up all (measured on two busy cores: two threads take 120 ms for what one does in 6).
 */
export function defaultThreads(cores: number): number {
  return Math.min(Math.max(cores - 1, 1), 4);
}
