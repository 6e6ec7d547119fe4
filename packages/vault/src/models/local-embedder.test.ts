import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { embedderContract, similarity } from './embedder.contract.ts';
import { realModelFor } from '../../../../test/local-models/real-model.ts';
import type * as llama from './llama.ts';
import type { LlamaModel } from './llama.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { createLocalRuntime } from './local-runtime.ts';
import type { Embedder } from './search-models.ts';

/** Number of texts computed by all embedders. */
const computed = vi.hoisted(() => ({ texts: 0 }));
vi.mock('./llama.ts', async (importActual) => {
  const { watchLlama } = await import('../../../../test/local-models/watch-llama.ts');
  return watchLlama(await importActual<typeof llama>(), (loaded) => {
    const loadModel = loaded.loadModel.bind(loaded);
    loaded.loadModel = async (file) => counting(await loadModel(file));
  });
});

function counting(model: LlamaModel): LlamaModel {
  const createContext = model.createEmbeddingContext.bind(model);
  model.createEmbeddingContext = async (options) => {
    const context = await createContext(options);
    const compute = context.getEmbeddingFor.bind(context);
    context.getEmbeddingFor = (tokens) => {
      computed.texts += 1;
      return compute(tokens);
    };
    return context;
  };
  return model;
}

const soon = (): AbortSignal => AbortSignal.timeout(50_000);
const { runtimeFolder, modelFile, isMissing } = realModelFor();

function open(file: string, folder = runtimeFolder): Embedder {
  return createLocalEmbedder({ runtime: createLocalRuntime({ runtimeFolder: folder }), modelFile: file });
}

describe.skipIf(isMissing)('with a real model', () => {
  embedderContract('the local embedder', () => open(modelFile));

  describe('the local embedder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-model-'));
    let embedder: Embedder;
    beforeAll(() => {
      embedder = open(modelFile);
    });
    afterAll(async () => {
      await embedder.close();
      rmSync(folder, { recursive: true });
    });

    it('finds texts with the same meaning', async () => {
      const [query] = await embedder.embed(['a dog is running'], 'query', soon());
      const [same, other] = await embedder.embed(['a puppy runs', 'the tax declaration'], 'document', soon());
      expect(similarity(query, same)).toBeGreaterThan(0.6);
      expect(similarity(query, other)).toBeLessThan(0.3);
    });

    it('returns the same vector for a text alone and in a batch', async () => {
      const [alone] = await embedder.embed(['a dog is running'], 'document', soon());
      const among = await embedder.embed(['long '.repeat(400), 'a dog is running'], 'document', soon());
      expect(similarity(alone, among[1])).toBeCloseTo(1, 5);
    });

    it('stops between two texts when it is aborted, so that the next call does not wait', async () => {
      await embedder.dimensions(soon());
      const texts = Array.from({ length: 300 }, (_, index) => `${index} ${'some words '.repeat(100)}`);
      const reason = new Error('enough');
      const controller = new AbortController();
      const before = computed.texts;
      const embedding = embedder.embed(texts, 'document', controller.signal);
      await vi.waitUntil(() => computed.texts > before, { timeout: 50_000 });
      const begun = computed.texts;
      controller.abort(reason);
      await expect(embedding).rejects.toBe(reason);
      await embedder.embed(['next'], 'query', soon());
      expect(computed.texts).toBe(begun + 1);
    });

    it('truncates a text that is too long', async () => {
      const start = 'the river and the boat '.repeat(200);
      const [a, b] = await embedder.embed([`${start} one end`, `${start} another end`], 'document', soon());
      expect(similarity(a, b)).toBeCloseTo(1, 5);
    });

    it('reports its context size without loading the model, reduced for languages that need more tokens', () => {
      expect(embedder.contextTokens).toBe((512 * 3) / 4);
    });

    it('has a fingerprint that depends on the file', () => {
      const copy = join(folder, 'nomic-embed-text.gguf');
      copyFileSync(modelFile, copy);
      const other = open(copy);
      expect(other.fingerprint).not.toBe(embedder.fingerprint);
      expect(other.fingerprint).toContain('prefixes nomic-1');
    });

    it('works in CI, prints nothing to stdout, and lets the process exit', () => {
      const module = pathToFileURL(resolve('packages/vault/src/models/index.ts')).href;
      const script = `
        const { createLocalEmbedder, createLocalRuntime } = await import(${JSON.stringify(module)});
        const runtime = createLocalRuntime(${JSON.stringify({ runtimeFolder })});
        const embedder = createLocalEmbedder({ runtime, modelFile: ${JSON.stringify(modelFile)} });
        const [vector] = await embedder.embed(['a dog'], 'query', AbortSignal.timeout(30000));
        if (vector.length !== 384) throw new Error('there is no vector');
      `;
      const file = join(folder, 'script.mjs');
      writeFileSync(file, script);
      const output = execFileSync(process.execPath, [file], {
        env: { ...process.env, CI: 'true' },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 60_000,
      });
      expect(output.toString()).toBe('');
    });

    it('reports a model file that cannot be loaded', async () => {
      const broken = join(folder, 'broken.gguf');
      writeFileSync(broken, Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(1000)]));
      const other = open(broken);
      await expect(other.embed(['a'], 'query', soon())).rejects.toMatchObject({ code: 'bad-model' });
      await other.close();
    });
  });
});

describe('a local embedder that cannot work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-model-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reports a missing model, or a web page instead of a model', () => {
    const file = join(folder, 'model.gguf');
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'no-model' }));
    writeFileSync(file, '<!doctype html><title>Log in</title>');
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'bad-model' }));
  });

  it('reports a missing runtime', async () => {
    const file = join(folder, 'empty.gguf');
    writeFileSync(file, Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(20)]));
    const embedder = open(file, folder);
    await expect(embedder.embed(['a'], 'query', soon())).rejects.toMatchObject({ code: 'no-runtime' });
    await embedder.close();
  });
});
