import { readFileSync } from 'node:fs';
import type { Layout } from '../vault/index.ts';

/** `update/short` is for small contexts, and for models that did not follow the long instructions. */
export type PromptName = 'search' | 'forget' | 'tidy' | 'update' | 'update/short';

const files: Record<PromptName, string> = {
  search: 'search/prompt.md',
  forget: 'forget/prompt.md',
  tidy: 'tidy/prompt.md',
  update: 'update/prompt.md',
  'update/short': 'update/prompt-short.md',
};

/**
 * Loads the instructions of an agent from the file next to its code, both in the sources and in the built package.
 * Default file names are replaced with those of this vault.
 */
export function loadPrompt(name: PromptName, { substituteNames }: Layout): string {
  return substituteNames(readFileSync(new URL(`../agents/${files[name]}`, import.meta.url), 'utf8'));
}
