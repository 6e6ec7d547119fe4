import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTinyModels } from '../../../../test/local-models/make-tiny-models.ts';
import { realModelFor } from '../../../../test/local-models/real-model.ts';
import type * as llama from './llama.ts';
import type { LlamaModel, LlamaSequence } from './llama.ts';
import { createLocalExpander } from './local-expander.ts';
import { createLocalRuntime } from './local-runtime.ts';
import type { Expander } from './search-models.ts';

/** Prompts and output of all expanders; `context` is everything before the output. */
const seen = vi.hoisted(() => ({
  prompts: [] as string[],
  context: '',
  answers: [] as string[],
  tokens: 0,
  onToken: (): void => undefined,
}));
vi.mock('./llama.ts', async (importActual) => {
  const { watchLlama } = await import('../../../../test/local-models/watch-llama.ts');
  return watchLlama(await importActual<typeof llama>(), (loaded) => {
    const loadModel = loaded.loadModel.bind(loaded);
    let model: LlamaModel | null = null;
    loaded.loadModel = async (file) => (model = await loadModel(file));
    const createChatSession = loaded.createChatSession.bind(loaded);
    loaded.createChatSession = (sequence) => {
      const session = createChatSession(sequence);
      const prompt = session.prompt.bind(session);
      session.prompt = async (text, given) => {
        seen.prompts.push(text);
        const onToken = (): void => {
          seen.tokens += 1;
          seen.onToken();
        };
        const answer = await prompt(text, Object.assign({ onToken }, given));
        const { contextTokens } = sequence as LlamaSequence & { contextTokens: number[] };
        seen.context = model?.detokenize(contextTokens, true) ?? '';
        seen.answers.push(answer);
        return answer;
      };
      return session;
    };
  });
});

const soon = (): AbortSignal => AbortSignal.timeout(50_000);
const { runtimeFolder, modelFile: embedder, isMissing } = realModelFor();

describe.skipIf(isMissing)('the local expander', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-model-'));
  const tiny = makeTinyModels(folder);
  const open = (modelFile = tiny.expander): Expander =>
    createLocalExpander({ runtime: createLocalRuntime({ runtimeFolder }), modelFile });
  let expander: Expander;
  beforeAll(() => {
    expander = open();
  });
  afterEach(() => {
    Object.assign(seen, { prompts: [], answers: [], tokens: 0, onToken: () => undefined });
  });
  afterAll(async () => {
    await expander.close();
    rmSync(folder, { recursive: true });
  });

  it('uses the prompt of QMD and returns typed expansions, even with random weights', async () => {
    const expansions = await expander.expand('who has the keys?', soon());
    expect(seen.context).toContain(
      '<|im_start|>user\n/no_think Expand this search query: who has the keys?<|im_end|>\n<|im_start|>assistant\n',
    );
    expect(seen.context).not.toContain('<|im_start|>system');
    expect(seen.answers[0]).toMatch(/^((lex|vec|hyde): [^\n]+(\n|$)){1,6}$/);
    expect(expansions.length).toBeGreaterThan(0);
    expect(expansions.length).toBeLessThanOrEqual(6);
    for (const { type, text } of expansions) {
      expect(['lex', 'vec', 'hyde']).toContain(type);
      expect(text).not.toBe('');
    }
  });

  it('returns the same expansions for the same query, regardless of earlier queries', async () => {
    const first = await expander.expand('the boiler', soon());
    const [other, again] = await Promise.all(
      ['a red bike', 'the boiler'].map((query) => expander.expand(query, soon())),
    );
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('accepts an empty query and lone surrogates, and truncates a very long query', async () => {
    for (const query of ['', 'half \ud83d of it <|im_end|>', 'où est le chat ? '.repeat(100_000)])
      expect((await expander.expand(query, soon())).length).toBeGreaterThan(0);
    expect(seen.prompts[2]).toContain('où est le chat ? où est');
    expect(seen.prompts[2]?.length).toBeLessThan(2048);
  });

  it('does nothing if the signal is already aborted', async () => {
    const reason = new Error('too late');
    await expect(expander.expand('keys', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(seen.prompts).toEqual([]);
  });

  it('stops generating when it is aborted, and works again afterwards', async () => {
    const whole = await expander.expand('keys', soon());
    const wholeTokens = seen.tokens;
    const reason = new Error('enough');
    const controller = new AbortController();
    seen.tokens = 0;
    seen.onToken = () => controller.abort(reason);
    await expect(expander.expand('keys', controller.signal)).rejects.toBe(reason);
    seen.onToken = () => undefined;
    expect(await expander.expand('keys', soon())).toEqual(whole);
    // One token of the aborted call, and all tokens of the next.
    expect(seen.tokens).toBe(1 + wholeTokens);
  });

  it('rejects calls after it is closed, and can be opened again', async () => {
    const first = open();
    const expansions = await first.expand('keys', soon());
    await first.close();
    await first.close();
    await expect(first.expand('keys', soon())).rejects.toMatchObject({ code: 'closed' });
    const second = open();
    expect(await second.expand('keys', soon())).toEqual(expansions);
    await second.close();
  });

  it('rejects a model that is not generative before loading it', () => {
    for (const file of [embedder, tiny.reranker])
      expect(() => open(file)).toThrow(expect.objectContaining({ code: 'bad-model' }));
  });

  it('reports an architecture that the runtime does not know', async () => {
    const unknown = join(folder, 'unknown.gguf');
    writeFileSync(unknown, readFileSync(tiny.expander, 'latin1').replaceAll('qwen3', 'qwen0'), 'latin1');
    const other = open(unknown);
    await expect(other.expand('keys', soon())).rejects.toMatchObject({
      name: 'ModelError',
      code: 'bad-model',
      hint: expect.stringContaining('check that it is a generative model'),
    });
    await other.close();
  });

  it('reports a damaged file, and works once it is complete', async () => {
    const file = join(folder, 'damaged.gguf');
    const bytes = readFileSync(tiny.expander);
    writeFileSync(file, bytes);
    truncateSync(file, bytes.length / 2);
    const other = open(file);
    await expect(other.expand('keys', soon())).rejects.toMatchObject({ code: 'bad-model' });
    writeFileSync(file, bytes);
    expect((await other.expand('keys', soon())).length).toBeGreaterThan(0);
    await other.close();
  });
});
