import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { modelCatalog, modelRoles } from './model-catalog.ts';

it.each(modelCatalog)(
  '$id has a download URL with a fixed revision, and a checksum',
  ({ id, url, file, sha256 }) => {
    expect(url).toMatch(/^https:\/\/huggingface\.co\/[^/]+\/[^/]+\/resolve\/[0-9a-f]{40}\/[^/]+\.gguf$/);
    expect(file).toBe(basename(url));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(modelCatalog.filter((other) => other.id === id || other.file === file)).toHaveLength(1);
  },
);

it.each(modelRoles)('the first %s in the catalog is the default of the search library QMD', (role) => {
  const qmd = readFileSync('node_modules/@tobilu/qmd/dist/llm.js', 'utf8');
  const constant = { embedder: 'EMBED', expander: 'GENERATE', reranker: 'RERANK' }[role];
  const [, uri] = new RegExp(`^const DEFAULT_${constant}_MODEL = "hf:(.+)";$`, 'm').exec(qmd) ?? [];
  const first = modelCatalog.find((model) => model.role === role);
  expect(first?.url.replace(/^https:\/\/huggingface\.co\/|resolve\/[0-9a-f]{40}\//g, '')).toBe(uri);
});
