import { inTurn } from '../contract/index.ts';
import { abortable } from './abortable.ts';
import { ModelError, reasonOf } from './error.ts';
import type { Llama, LlamaModel } from './llama.ts';
import type { LocalRuntime } from './local-runtime.ts';

export type LocalModelOptions = {
  runtime: LocalRuntime;
  /** A GGUF file. */
  modelFile: string;
};

type Context = { dispose(): Promise<void> };
type Parts<Made> = { llama: Llama; model: LlamaModel } & Made;

/** A model in the runtime. It is loaded at the first call, and once; calls are answered one after another. */
type LocalModel<Made> = {
  use<Value>(signal: AbortSignal, work: (parts: Parts<Made>) => Promise<Value>): Promise<Value>;
  /** Unloads it, after what it is computing. */
  close(): Promise<void>;
};

/** `kind` is what it should be, as «a reranker»; `make` gives what it computes with. */
export function createLocalModel<Made extends { context: Context }>(
  { runtime, modelFile }: LocalModelOptions,
  kind: string,
  make: (llama: Llama, model: LlamaModel) => Promise<Made>,
): LocalModel<Made> {
  const state: { loading: Promise<Parts<Made>> | null; closed: boolean } = { loading: null, closed: false };
  /** A context computes one thing at a time anyway. */
  const turn = inTurn();

  const load = async (): Promise<Parts<Made>> => {
    const llama = await runtime.enter();
    let model: LlamaModel | null = null;
    try {
      model = await llama.loadModel({ modelPath: modelFile, ...(!runtime.gpu && { gpuLayers: 0 }) });
      return { llama, model, ...(await make(llama, model)) };
    } catch (cause) {
      void model?.dispose().catch(() => undefined); // without waiting: see the runtime
      runtime.leave();
      throw new ModelError('bad-model', `${modelFile} cannot be loaded (${reasonOf(cause)})`, {
        mend: `is it ${kind}, is all of it there, and is there memory for it?`,
        cause,
      });
    }
  };
  const loaded = (): Promise<Parts<Made>> => {
    state.loading ??= load().catch((error: unknown) => {
      state.loading = null; // what was missing may be there at the next call
      throw error;
    });
    return state.loading;
  };

  return {
    use: (signal, work) =>
      abortable(signal, () =>
        turn(async () => {
          signal.throwIfAborted();
          if (state.closed)
            throw new ModelError('closed', `${modelFile} is closed`, { mend: 'open it again' });
          const parts = await loaded();
          signal.throwIfAborted();
          return work(parts);
        }),
      ),
    close: () =>
      turn(async () => {
        state.closed = true;
        const parts = await state.loading;
        state.loading = null;
        if (parts === null) return;
        await parts.context.dispose();
        await parts.model.dispose();
        runtime.leave();
      }),
  };
}

/** Models with a longer context exist; the memory it takes grows with it, and sections are shorter. */
const longestContext = 2048;

export function contextSizeOf(trained: number | null): number {
  return Math.min(trained ?? 512, longestContext);
}

/** Few tokens are longer. What is beyond is not even looked at: everything else waits while a text is made into tokens. */
const longestToken = 16;

/** The beginning of a text, as much of it as so many tokens hold. */
export function beginningOf(model: LlamaModel, text: string, most: number): number[] {
  const start = text.slice(0, most * longestToken).toWellFormed();
  return model.tokenize(start, false, 'trimLeadingSpace').slice(0, most);
}
