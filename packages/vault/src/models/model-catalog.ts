export const modelRoles = ['embedder', 'expander', 'reranker'] as const;

/** The role of a model in deep search. */
export type ModelRole = (typeof modelRoles)[number];

/** A tested model with the information needed before downloading it. */
export type KnownModel = {
  id: string;
  role: ModelRole;
  title: string;
  /** Points to a fixed revision, so that the checksum stays valid. */
  url: string;
  /** Local file name, which also determines the embedding prefixes. */
  file: string;
  bytes: number;
  sha256: string;
  license: string;
  languages: string;
  /** Training context; Keepsake uses at most 2,048. */
  contextTokens: number;
  /** Only for embedders. */
  dimensions?: number;
  /** Time to compute the vectors of 1,000 notes of 200 words on one core, where it was measured. */
  minutesPer1000Notes?: number;
};

/** Multilingual, and the smallest of that kind in the list. */
export const recommendedEmbedder = 'embeddinggemma-300m';

export function findKnownModel(id: string): KnownModel | undefined {
  return modelCatalog.find((model) => model.id === id);
}

/** The first model of each role is the one that QMD, the search engine behind the index, uses. */
export const modelCatalog: readonly KnownModel[] = [
  {
    id: 'embeddinggemma-300m',
    role: 'embedder',
    title: 'EmbeddingGemma 300M',
    url: 'https://huggingface.co/ggml-org/embeddinggemma-300M-GGUF/resolve/0f741b5a6585bd53aeb15cd1372c56f2a0f65e12/embeddinggemma-300M-Q8_0.gguf',
    file: 'embeddinggemma-300M-Q8_0.gguf',
    bytes: 333_590_944,
    sha256: 'b5ce9d77a3fc4b3b39ccb5643c36777911cc4eb46a66962eadfa3f5f60490d63',
    license: 'Gemma Terms of Use',
    languages: 'more than 100',
    contextTokens: 2048,
    dimensions: 768,
    minutesPer1000Notes: 15,
  },
  {
    id: 'qwen3-embedding-0.6b',
    role: 'embedder',
    title: 'Qwen3 Embedding 0.6B',
    url: 'https://huggingface.co/Qwen/Qwen3-Embedding-0.6B-GGUF/resolve/370f27d7550e0def9b39c1f16d3fbaa13aa67728/Qwen3-Embedding-0.6B-Q8_0.gguf',
    file: 'Qwen3-Embedding-0.6B-Q8_0.gguf',
    bytes: 639_150_592,
    sha256: '06507c7b42688469c4e7298b0a1e16deff06caf291cf0a5b278c308249c3e439',
    license: 'Apache-2.0',
    languages: 'more than 100',
    contextTokens: 32_768,
    dimensions: 1024,
  },
  {
    id: 'nomic-embed-text-v1.5',
    role: 'embedder',
    title: 'Nomic Embed Text 1.5',
    url: 'https://huggingface.co/nomic-ai/nomic-embed-text-v1.5-GGUF/resolve/0188c9bf409793f810680a5a431e7b899c46104c/nomic-embed-text-v1.5.Q8_0.gguf',
    file: 'nomic-embed-text-v1.5.Q8_0.gguf',
    bytes: 146_146_432,
    sha256: '3e24342164b3d94991ba9692fdc0dd08e3fd7362e0aacc396a9a5c54a544c3b7',
    license: 'Apache-2.0',
    languages: 'English',
    contextTokens: 2048,
    dimensions: 768,
  },
  {
    id: 'all-minilm-l6-v2',
    role: 'embedder',
    title: 'all-MiniLM-L6-v2, small and fast',
    url: 'https://huggingface.co/second-state/All-MiniLM-L6-v2-Embedding-GGUF/resolve/544f204f2eaa2d71361ffc74d6df7170285b286a/all-MiniLM-L6-v2-Q8_0.gguf',
    file: 'all-MiniLM-L6-v2-Q8_0.gguf',
    bytes: 25_008_064,
    sha256: '263215c3cadd6e16740741a7624ab4cbb6c8e777688bd5331ecfbf5681c2f8ed',
    license: 'Apache-2.0',
    languages: 'English',
    contextTokens: 512,
    dimensions: 384,
    minutesPer1000Notes: 4,
  },
  {
    id: 'qmd-query-expansion-1.7b',
    role: 'expander',
    title: 'QMD Query Expansion 1.7B',
    url: 'https://huggingface.co/tobil/qmd-query-expansion-1.7B-gguf/resolve/7816de0b72572c6c860ca1eddf97ba9e7fb8cc65/qmd-query-expansion-1.7B-q4_k_m.gguf',
    file: 'qmd-query-expansion-1.7B-q4_k_m.gguf',
    bytes: 1_282_438_912,
    sha256: '000dfb1c06efa6a049e9f64ba921c3740e2454f62abab6fa10e77bd30bb2bcc0',
    license: 'MIT',
    languages: 'English',
    contextTokens: 40_960,
  },
  {
    id: 'qwen3-reranker-0.6b',
    role: 'reranker',
    title: 'Qwen3 Reranker 0.6B',
    url: 'https://huggingface.co/ggml-org/Qwen3-Reranker-0.6B-Q8_0-GGUF/resolve/a02f48bb4f057028298c21fa033da2b30d7742d5/qwen3-reranker-0.6b-q8_0.gguf',
    file: 'qwen3-reranker-0.6b-q8_0.gguf',
    bytes: 639_153_184,
    sha256: '22c9979ce4fbcdc5acdc310c6641c32797eff1aa980b8f7a2db8a8ea23429a48',
    license: 'Apache-2.0',
    languages: 'more than 100',
    contextTokens: 40_960,
  },
];
