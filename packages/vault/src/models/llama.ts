import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelError, errorCodeOrMessage } from './error.ts';

/** The part of node-llama-cpp that is used here. It is not a dependency: the user installs it on demand. */
export type Llama = {
  loadModel(options: { modelPath: string; gpuLayers?: number }): Promise<LlamaModel>;
  createGrammar(options: { grammar: string }): Promise<LlamaGrammar>;
  createChatSession(sequence: LlamaSequence): LlamaChatSession;
  dispose(): Promise<void>;
};

export type LlamaModel = {
  trainContextSize: number;
  embeddingVectorSize: number;
  fileInfo: { metadata: { tokenizer?: { 'chat_template.rerank'?: string } } };
  tokenize(text: string, specialTokens: boolean, options: 'trimLeadingSpace'): number[];
  detokenize(tokens: readonly number[], specialTokens?: boolean): string;
  createContext(options: ContextOptions): Promise<LlamaContext>;
  createEmbeddingContext(options: ContextOptions): Promise<LlamaEmbeddingContext>;
  createRankingContext(options: ContextOptions): Promise<LlamaRankingContext>;
  dispose(): Promise<void>;
};

type ContextOptions = { contextSize: number; batchSize?: number; threads: number };

export type LlamaContext = { getSequence(): LlamaSequence; dispose(): Promise<void> };

export type LlamaSequence = { clearHistory(): Promise<void> };

export type LlamaGrammar = { readonly grammar: string };

export type LlamaChatSession = {
  prompt(text: string, options: PromptOptions): Promise<string>;
  dispose(): void;
};

type PromptOptions = {
  grammar: LlamaGrammar;
  maxTokens: number;
  temperature: number;
  topK: number;
  topP: number;
  seed: number;
  repeatPenalty: { lastTokens: number; presencePenalty: number };
  signal: AbortSignal;
};

export type LlamaEmbeddingContext = {
  getEmbeddingFor(tokens: number[]): Promise<{ vector: readonly number[] }>;
  dispose(): Promise<void>;
};

export type LlamaRankingContext = {
  rank(query: number[], document: number[]): Promise<number>;
  dispose(): Promise<void>;
};

type LlamaLibrary = {
  LlamaLogLevel: { disabled: string };
  LlamaChatSession: new (options: {
    contextSequence: LlamaSequence;
    systemPrompt: string;
  }) => LlamaChatSession;
  getLlama(options: Record<string, unknown>): Promise<Omit<Llama, 'createChatSession'>>;
};

export type LlamaOptions = { runtimeFolder: string; threads: number; gpu: boolean };

/**
 * The `gpu` option of the library. For Apple silicon only a binary with Metal exists; there, the GPU is disabled when
 * a model is loaded.
 */
export function toGpuOption(gpu: boolean): 'auto' | false {
  return gpu || (process.platform === 'darwin' && process.arch === 'arm64') ? 'auto' : false;
}

/** Loads the library and its binary. It never compiles or downloads one, and it prints nothing. */
export async function loadLlama({ runtimeFolder, threads, gpu }: LlamaOptions): Promise<Llama> {
  const entry = llamaEntry(runtimeFolder);
  if (entry === null)
    throw new ModelError('no-runtime', `the local model runtime is not installed in ${runtimeFolder}`, {
      hint: 'run keepsake models setup',
    });
  try {
    const library = (await import(pathToFileURL(entry).href)) as LlamaLibrary;
    const options = {
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: library.LlamaLogLevel.disabled,
      logger: () => undefined,
      maxThreads: threads,
    };
    const llama = await library.getLlama({ ...options, gpu: toGpuOption(gpu) });
    const createChatSession: Llama['createChatSession'] = (contextSequence) =>
      // By default the library would use its own assistant prompt.
      new library.LlamaChatSession({ contextSequence, systemPrompt: '' });
    return Object.assign(llama, { createChatSession });
  } catch (cause) {
    throw new ModelError(
      'bad-runtime',
      `the local model runtime in ${runtimeFolder} cannot be loaded (${errorCodeOrMessage(cause)})`,
      { hint: 'reinstall it with keepsake models setup', cause },
    );
  }
}

/** Resolves the library from the folder it was installed in, and nowhere else. */
function llamaEntry(runtimeFolder: string): string | null {
  try {
    return createRequire(join(runtimeFolder, 'package.json')).resolve(
      join(runtimeFolder, 'node_modules', 'node-llama-cpp'),
    );
  } catch {
    return null;
  }
}
