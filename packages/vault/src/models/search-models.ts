/**
 * The models that search uses. Every call rejects with the signal's reason as soon as the signal is aborted; a
 * running local computation may still finish in the background. Any other failure is a `ModelError`: an empty answer
 * is never a success.
 */
export type Embedder = {
  /**
   * Identifies the model and everything that affects its vectors: vectors with different fingerprints are never
   * compared.
   */
  fingerprint: string;
  /** Maximum text length in tokens of 4 characters; longer texts are truncated. */
  contextTokens: number;
  /** Length of the vectors. The first call may load the model or query the server. */
  dimensions(signal: AbortSignal): Promise<number>;
  /** Returns one unit vector for each text, in order. */
  embed(texts: readonly string[], use: EmbeddingPurpose, signal: AbortSignal): Promise<Float32Array[]>;
  /** Frees its resources after the current computation. No call may follow. */
  close(): Promise<void>;
};

/** Many models embed queries and documents differently. */
export type EmbeddingPurpose = 'query' | 'document';

/** `lex` is for keyword search, `vec` a rephrasing to embed, `hyde` a hypothetical passage that answers the query. */
export type Expansion = { type: 'lex' | 'vec' | 'hyde'; text: string };

export type Expander = {
  /** Returns one to six expansions. */
  expand(query: string, signal: AbortSignal): Promise<Expansion[]>;
  /** Same as `Embedder.close`. */
  close(): Promise<void>;
};

export type Reranker = {
  /** Returns one score from 0 to 1 for each text, in order. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  /** Same as `Embedder.close`. */
  close(): Promise<void>;
};
