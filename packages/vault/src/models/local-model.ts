import { createLimiter } from '../contract/index.ts';
import { withAbort } from './abortable.ts';
import { ModelError, errorCodeOrMessage } from './error.ts';
import type { Llama, LlamaModel } from './llama.ts';
import type { LocalRuntime } from './local-runtime.ts';

export type LocalModelOptions = {
  runtime: LocalRuntime;
  /** Path of a GGUF file. */
  modelFile: string;
};

type Context = { dispose(): Promise<void> };
type LoadedModel<Extras> = { llama: Llama; model: LlamaModel } & Extras;

/** A model that runs in the local runtime. It is loaded once, on the first call; calls run one after another. */
type LocalModel<Extras> = {
  use<Value>(signal: AbortSignal, work: (parts: LoadedModel<Extras>) => Promise<Value>): Promise<Value>;
  /** Unloads the model after the current computation. */
  close(): Promise<void>;
};

/** `kind` describes the expected model, such as "a reranker"; `createContext` creates its context. */
export function createLocalModel<Extras extends { context: Context }>(
  { runtime, modelFile }: LocalModelOptions,
  kind: string,
  createContext: (llama: Llama, model: LlamaModel) => Promise<Extras>,
): LocalModel<Extras> {
  const state: { loading: Promise<LoadedModel<Extras>> | null; closed: boolean } = {
    loading: null,
    closed: false,
  };
  /** A context cannot run concurrent computations. */
  const serialize = createLimiter();

  const load = async (): Promise<LoadedModel<Extras>> => {
    const llama = await runtime.acquire();
    let model: LlamaModel | null = null;
    try {
      model = await llama.loadModel({ modelPath: modelFile, ...(!runtime.gpu && { gpuLayers: 0 }) });
      return { llama, model, ...(await createContext(llama, model)) };
    } catch (cause) {
      void model?.dispose().catch(() => undefined); // not awaited: see the runtime
      runtime.release();
      throw new ModelError('bad-model', `cannot load ${modelFile} (${errorCodeOrMessage(cause)})`, {
        hint: `check that it is ${kind}, that the file is complete and that there is enough memory`,
        cause,
      });
    }
  };
  const loaded = (): Promise<LoadedModel<Extras>> => {
    state.loading ??= load().catch((error: unknown) => {
      state.loading = null; // the next call tries again
      throw error;
    });
    return state.loading;
  };

  return {
    use: (signal, work) =>
      withAbort(signal, () =>
        serialize(async () => {
          signal.throwIfAborted();
          if (state.closed)
            throw new ModelError('closed', `${modelFile} is closed`, { hint: 'open it again' });
          const parts = await loaded();
          signal.throwIfAborted();
          return work(parts);
        }),
      ),
    close: () =>
      serialize(async () => {
        state.closed = true;
        const parts = await state.loading;
        state.loading = null;
        if (parts === null) return;
        await parts.context.dispose();
        await parts.model.dispose();
        runtime.release();
      }),
  };
}

/** Some models support more, but memory use grows with the context and chunks are shorter. */
const maxLocalContextTokens = 2048;

export function limitContextSize(trained: number | null): number {
  return Math.min(trained ?? 512, maxLocalContextTokens);
}

/** Few tokens are longer. Text beyond this is not tokenized, because tokenizing blocks the event loop. */
const maxCharactersPerToken = 16;

/** The first `maxTokens` tokens of a text. */
export function truncateToTokens(model: LlamaModel, text: string, maxTokens: number): number[] {
  const start = text.slice(0, maxTokens * maxCharactersPerToken).toWellFormed();
  return model.tokenize(start, false, 'trimLeadingSpace').slice(0, maxTokens);
}
