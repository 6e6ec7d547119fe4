import { readFileSync } from 'node:fs';
import type { Layout } from '../vault/index.ts';

/**
 * Loads the instructions of an agent, which are a file next to its code, in the sources and in the built package.
 * File names are replaced by those of this vault.
 */
export function loadPrompt(agent: 'search' | 'update', { substituteNames }: Layout): string {
  return substituteNames(readFileSync(new URL(`../agents/${agent}/prompt.md`, import.meta.url), 'utf8'));
}
