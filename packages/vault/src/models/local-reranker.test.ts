import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTinyModels } from '../../../../test/local-models/make-tiny-models.ts';
import { realModelFor } from '../../../../test/local-models/real-model.ts';
import type * as llama from './llama.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { createLocalReranker } from './local-reranker.ts';
import { createLocalRuntime } from './local-runtime.ts';
import type { Reranker } from './search-models.ts';

/** Number of texts scored by all rerankers. */
const scored = vi.hoisted(() => ({ texts: 0, onText: (): void => undefined }));
vi.mock('./llama.ts', async (importActual) => {
  const { watchLlama } = await import('../../../../test/local-models/watch-llama.ts');
  return watchLlama(await importActual<typeof llama>(), (loaded) => {
    const loadModel = loaded.loadModel.bind(loaded);
    loaded.loadModel = async (file) => {
      const model = await loadModel(file);
      const createContext = model.createRankingContext.bind(model);
      model.createRankingContext = async (sizes) => {
        const context = await createContext(sizes);
        const rank = context.rank.bind(context);
        context.rank = (query, text) => {
          scored.texts += 1;
          scored.onText();
          return rank(query, text);
        };
        return context;
      };
      return model;
    };
  });
});

const soon = (): AbortSignal => AbortSignal.timeout(50_000);
const { runtimeFolder, modelFile: embedder, isMissing } = realModelFor();

describe.skipIf(isMissing)('the local reranker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-model-'));
  const tiny = makeTinyModels(folder);
  const runtime = createLocalRuntime({ runtimeFolder });
  const open = (modelFile = tiny.reranker): Reranker => createLocalReranker({ runtime, modelFile });
  const texts = ['the boiler', 'a red bike', 'the tax declaration', 'a red bike'];
  let reranker: Reranker;
  beforeAll(() => {
    reranker = open();
  });
  afterAll(async () => {
    await reranker.close();
    rmSync(folder, { recursive: true });
  });

  it('returns a score from 0 to 1 for each text, the same for equal texts', async () => {
    const scores = await reranker.score('bike', texts, soon());
    expect(scores).toHaveLength(4);
    for (const score of scores) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(scores[3]).toBe(scores[1]);
    expect(new Set(scores).size).toBe(3);
  });

  it('returns the scores in the order of the texts, each independent of the other texts', async () => {
    const scores = await reranker.score('bike', texts, soon());
    expect(await reranker.score('bike', texts.toReversed(), soon())).toEqual(scores.toReversed());
    const alone = await Promise.all(texts.map((text) => reranker.score('bike', [text], soon())));
    expect(alone.flat()).toEqual(scores);
  });

  it('returns scores that depend on the query', async () => {
    const [bike, boiler] = [
      await reranker.score('bike', texts, soon()),
      await reranker.score('boiler', texts, soon()),
    ];
    expect(boiler).not.toEqual(bike);
  });

  it('truncates a text or query that is too long', async () => {
    const body = 'the river and the boat '.repeat(2000);
    const [one, other, elsewhere] = await reranker.score(
      'boat',
      [`travel › log\n${body}`, `travel › log\n${body} and more`, `garden › log\n${body}`],
      soon(),
    );
    expect(other).toBe(one);
    expect(elsewhere).not.toBe(one);
    const endless = await reranker.score('boat '.repeat(100_000), [body], soon());
    expect(endless).toHaveLength(1);
  });

  it('accepts empty texts and lone surrogates', async () => {
    const scores = await reranker.score('', ['', ' \n', 'half \ud83d of it <|im_end|>'], soon());
    expect(scores).toHaveLength(3);
  });

  it('loads nothing for an empty list, and does nothing if the signal is already aborted', async () => {
    const other = createLocalReranker({
      runtime: createLocalRuntime({ runtimeFolder: folder }),
      modelFile: tiny.reranker,
    });
    expect(await other.score('bike', [], soon())).toEqual([]);
    const reason = new Error('too late');
    await expect(other.score('bike', texts, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(other.score('bike', texts, soon())).rejects.toMatchObject({ code: 'no-runtime' });
    await other.close();
  });

  it('stops between two texts when it is aborted, and works again afterwards', async () => {
    const scores = await reranker.score('bike', texts, soon());
    const reason = new Error('enough');
    const controller = new AbortController();
    scored.texts = 0;
    scored.onText = () => controller.abort(reason);
    await expect(reranker.score('bike', texts, controller.signal)).rejects.toBe(reason);
    scored.onText = () => undefined;
    expect(await reranker.score('bike', texts, soon())).toEqual(scores);
    expect(scored.texts).toBe(1 + texts.length);
  });

  it('rejects calls after it is closed, and can be opened again', async () => {
    const first = open();
    const scores = await first.score('bike', texts, soon());
    await first.close();
    await expect(first.score('bike', texts, soon())).rejects.toMatchObject({ code: 'closed' });
    const second = open();
    expect(await second.score('bike', texts, soon())).toEqual(scores);
    await second.close();
  });

  it('reports a model that computes no scores', async () => {
    for (const file of [embedder, tiny.expander]) {
      const other = open(file);
      await expect(other.score('bike', texts, soon())).rejects.toMatchObject({
        name: 'ModelError',
        code: 'bad-model',
        hint: expect.stringContaining('check that it is a reranker'),
      });
      await other.close();
    }
  });

  it('has a model that is rejected as an embedder', () => {
    expect(() => createLocalEmbedder({ runtime, modelFile: tiny.reranker })).toThrow(
      expect.objectContaining({ code: 'bad-model' }),
    );
  });

  it('reports a damaged model file, and works once the file is complete', async () => {
    const file = join(folder, 'damaged.gguf');
    const bytes = readFileSync(tiny.reranker);
    writeFileSync(file, bytes);
    truncateSync(file, bytes.length / 2);
    const other = open(file);
    await expect(other.score('bike', texts, soon())).rejects.toMatchObject({ code: 'bad-model' });
    writeFileSync(file, bytes);
    expect(await other.score('bike', texts, soon())).toHaveLength(4);
    await other.close();
  });
});
