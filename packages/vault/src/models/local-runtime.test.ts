import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTinyModels } from '../../../../test/local-models/make-tiny-models.ts';
import { realModelFor } from '../../../../test/local-models/real-model.ts';
import type * as llama from './llama.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { createLocalExpander } from './local-expander.ts';
import { createLocalReranker } from './local-reranker.ts';
import { createLocalRuntime, defaultThreads } from './local-runtime.ts';

/** How often the runtime and models were loaded and unloaded, and the error for the next context. */
const counted = vi.hoisted(() => ({ loaded: 0, unloaded: 0, models: 0, failure: null as Error | null }));
vi.mock('./llama.ts', async (importActual) => {
  const { watchLlama } = await import('../../../../test/local-models/watch-llama.ts');
  return watchLlama(await importActual<typeof llama>(), (loaded) => {
    counted.loaded += 1;
    const [loadModel, dispose] = [loaded.loadModel.bind(loaded), loaded.dispose.bind(loaded)];
    loaded.loadModel = async (file) => {
      const model = await loadModel(file);
      counted.models += 1;
      const [createContext, unload] = [model.createContext.bind(model), model.dispose.bind(model)];
      model.createContext = async (sizes) => {
        const failure = counted.failure;
        counted.failure = null;
        if (failure !== null) throw failure;
        return createContext(sizes);
      };
      model.dispose = () => {
        counted.models -= 1;
        return unload();
      };
      return model;
    };
    loaded.dispose = () => {
      counted.unloaded += 1;
      return dispose();
    };
  });
});

const soon = (): AbortSignal => AbortSignal.timeout(50_000);
const { runtimeFolder, modelFile, isMissing } = realModelFor();

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe.skipIf(isMissing)('the local runtime', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-model-'));
  const tiny = makeTinyModels(folder);
  beforeEach(() => void Object.assign(counted, { loaded: 0, unloaded: 0, models: 0, failure: null }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is loaded once for all models and unloaded with the last of them', async () => {
    const runtime = createLocalRuntime({ runtimeFolder });
    const embedder = createLocalEmbedder({ runtime, modelFile });
    const expander = createLocalExpander({ runtime, modelFile: tiny.expander });
    const reranker = createLocalReranker({ runtime, modelFile: tiny.reranker });
    const [vectors, expansions, scores] = await Promise.all([
      embedder.embed(['a dog'], 'query', soon()),
      expander.expand('a dog', soon()),
      reranker.score('a dog', ['a cat'], soon()),
    ]);
    expect([vectors.length, expansions.length > 0, scores.length]).toEqual([1, true, 1]);
    await expander.close();
    await embedder.close();
    expect(await reranker.score('a dog', ['a cat'], soon())).toEqual(scores);
    expect(counted).toMatchObject({ loaded: 1, unloaded: 0, models: 1 });
    await reranker.close();
    expect(counted).toMatchObject({ loaded: 1, unloaded: 1, models: 0 });
  });

  it('is not loaded by a model that was never used, and is loaded again on demand', async () => {
    const runtime = createLocalRuntime({ runtimeFolder });
    await createLocalExpander({ runtime, modelFile: tiny.expander }).close();
    expect(counted).toMatchObject({ loaded: 0, unloaded: 0 });
    for (const times of [1, 2]) {
      const reranker = createLocalReranker({ runtime, modelFile: tiny.reranker });
      expect(await reranker.score('a dog', ['a cat'], soon())).toHaveLength(1);
      await reranker.close();
      expect(counted).toMatchObject({ loaded: times, unloaded: times });
    }
  });

  it('works without a GPU if there is none', async () => {
    const reranker = createLocalReranker({
      runtime: createLocalRuntime({ runtimeFolder, gpu: true }),
      modelFile: tiny.reranker,
    });
    expect(await reranker.score('a dog', ['a cat'], soon())).toHaveLength(1);
    await reranker.close();
  });

  it('can be unloaded after a model failed to load', async () => {
    const runtime = createLocalRuntime({ runtimeFolder });
    const reranker = createLocalReranker({ runtime, modelFile: tiny.reranker });
    await reranker.score('a dog', ['a cat'], soon());
    const damaged = join(folder, 'damaged.gguf');
    copyFileSync(tiny.reranker, damaged);
    truncateSync(damaged, 200_000);
    const other = createLocalReranker({ runtime, modelFile: damaged });
    await expect(other.score('a dog', ['a cat'], soon())).rejects.toMatchObject({ code: 'bad-model' });
    collectGarbage(); // after this, the library no longer knows what it waits for
    await other.close();
    await reranker.close();
    expect(counted).toMatchObject({ loaded: 1, unloaded: 1, models: 0 });
  });

  it('frees the memory of a model whose context could not be created, and tries again on the next call', async () => {
    const expander = createLocalExpander({
      runtime: createLocalRuntime({ runtimeFolder }),
      modelFile: tiny.expander,
    });
    counted.failure = new Error('A context size of 2048 is too large for the available RAM');
    await expect(expander.expand('a dog', soon())).rejects.toMatchObject({
      code: 'bad-model',
      message: expect.stringContaining('too large for the available RAM'),
      hint: expect.stringContaining('that there is enough memory'),
    });
    expect(counted).toMatchObject({ loaded: 1, unloaded: 1, models: 0 });
    expect((await expander.expand('a dog', soon())).length).toBeGreaterThan(0);
    await expander.close();
    expect(counted).toMatchObject({ loaded: 2, unloaded: 2, models: 0 });
  });
});

it('the local runtime uses at most four threads and leaves a core free if possible', () => {
  expect([1, 2, 3, 8, 64].map(defaultThreads)).toEqual([1, 1, 2, 4, 4]);
});
