import type * as llama from '../../packages/vault/src/models/llama.ts';
import type { Llama } from '../../packages/vault/src/models/llama.ts';

/** The real runtime, modified each time it is loaded, so that a test can count its calls or make it fail. */
export function watchLlama(actual: typeof llama, change: (loaded: Llama) => void): typeof llama {
  return {
    ...actual,
    async loadLlama(options) {
      const loaded = await actual.loadLlama(options);
      change(loaded);
      return loaded;
    },
  };
}
