import { readFileSync } from 'node:fs';
import type { Layout } from '../vault/index.ts';

/**
 * The instructions of an agent: a text of its own, beside its code and in the package, where a bundle lies beside the rooms.
 * It speaks of files by the names that they have in this vault.
 */
export function readPrompt(agent: 'search' | 'update', { inWords }: Layout): string {
  return inWords(readFileSync(new URL(`../agents/${agent}/prompt.md`, import.meta.url), 'utf8'));
}
