import { z } from 'zod';
import { textProblem } from '../vault/index.ts';

export function isNotOnlyLineEnds(text: string): boolean {
  return /[^\r\n]/.test(text);
}

/** A schema for text that is written to a file. It rejects text that cannot be stored unchanged. */
export function storedText(): z.ZodString {
  return z.string().check(({ value, issues }) => {
    const problem = textProblem(value);
    if (problem !== null) issues.push({ code: 'custom', message: problem, input: value });
  });
}
