import { readFileSync } from 'node:fs';
import type { Layout } from '../vault/index.ts';

/**
 * Loads the instructions of an agent from the file next to its code, both in the sources and in the built package.
 * Default file names are replaced with those of this vault.
 */
export function loadPrompt(agent: 'search' | 'update', { substituteNames }: Layout): string {
  return substituteNames(readFileSync(new URL(`../agents/${agent}/prompt.md`, import.meta.url), 'utf8'));
}
