import { readFileSync } from 'node:fs';

/** The instructions of an agent: a text of its own, beside its code and in the package, where a bundle lies beside the rooms. */
export function readPrompt(agent: 'search' | 'update'): string {
  return readFileSync(new URL(`../agents/${agent}/prompt.md`, import.meta.url), 'utf8');
}
