import { readFileSync } from 'node:fs';

/** The instructions of an agent: a text of its own, beside its code and in the package. */
export function readPrompt(agent: 'search' | 'update'): string {
  return readFileSync(new URL(`${agent}/prompt.md`, import.meta.url), 'utf8');
}
