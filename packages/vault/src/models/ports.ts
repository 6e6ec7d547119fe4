/**
 * What search needs of models. Every call obeys its signal: once it is aborted the call rejects with the signal's reason,
 * at once; what a local model is computing right then may still finish in the background. Any other failure is a
 * `ModelError`: an empty answer is never a success.
 */
export type Embedder = {
  /** Names the model and everything that changes its vectors: vectors of different fingerprints are never compared. */
  fingerprint: string;
  /** Longest text it takes whole, in tokens of 4 characters; of a longer one only the beginning counts. */
  contextTokens: number;
  /** Length of its vectors. The first call may load the model or ask the server. */
  dimensions(signal: AbortSignal): Promise<number>;
  /** One vector of length 1 for each text, in order. */
  embed(texts: readonly string[], use: EmbeddingUse, signal: AbortSignal): Promise<Float32Array[]>;
  /** Frees what it holds, after what it is computing. No call may follow. */
  close(): Promise<void>;
};

/** Many models want to be told whether a text is looked for or looked through. */
export type EmbeddingUse = 'query' | 'document';

/** `lex` is for keywords, `vec` a rephrasing to embed, `hyde` a made-up passage that would answer the query. */
export type Expansion = { type: 'lex' | 'vec' | 'hyde'; text: string };

export type Expander = {
  /** At least one, at most six. */
  expand(query: string, signal: AbortSignal): Promise<Expansion[]>;
  /** As that of an embedder. */
  close(): Promise<void>;
};

export type Reranker = {
  /** One score from 0 to 1 for each text, in order. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  /** As that of an embedder. */
  close(): Promise<void>;
};
