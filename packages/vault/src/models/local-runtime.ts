import { availableParallelism } from 'node:os';
import { loadLlama } from './llama.ts';
import type { Llama } from './llama.ts';

export type LocalRuntimeOptions = {
  /** The folder that `installRuntime` installed into. */
  runtimeFolder: string;
  threads?: number;
  /** Whether a GPU may be used; the runtime must have been installed with GPU support. */
  gpu?: boolean;
};

/** The runtime shared by all local models of a process, so that threads and memory are allocated once. */
export type LocalRuntime = {
  threads: number;
  gpu: boolean;
  /** Loads the runtime for the first model. Every `acquire` needs one `release`, when its model is unloaded. */
  acquire(): Promise<Llama>;
  /** Unloads the runtime after the last model, without waiting. */
  release(): void;
};

export function createLocalRuntime({ runtimeFolder, ...options }: LocalRuntimeOptions): LocalRuntime {
  const { threads = defaultThreads(availableParallelism()), gpu = false } = options;
  const state: { loading: Promise<Llama> | null; inside: number } = { loading: null, inside: 0 };
  return {
    threads,
    gpu,
    async acquire() {
      const loading = (state.loading ??= loadLlama({ runtimeFolder, threads, gpu }));
      state.inside += 1;
      try {
        return await loading;
      } catch (error) {
        state.inside -= 1;
        if (state.loading === loading) state.loading = null; // the next call tries again
        throw error;
      }
    },
    release() {
      state.inside -= 1;
      if (state.inside > 0) return;
      // The library loses track of a model that failed to load, and may wait forever for it to be unloaded.
      void state.loading?.then((llama) => llama.dispose()).catch(() => undefined);
      state.loading = null;
    },
  };
}

/**
 * Leaves one core free: the threads of a computation spin while they wait for each other, so one thread that shares
 * its core delays all of them (measured on two busy cores: two threads take 120 ms for what one does in 6).
 */
export function defaultThreads(cores: number): number {
  return Math.min(Math.max(cores - 1, 1), 4);
}
