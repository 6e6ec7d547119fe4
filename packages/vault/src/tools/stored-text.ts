import { z } from 'zod';
import { textProblem } from '../vault/index.ts';

/** Line ends alone are nothing to look for, and nothing to add. */
export function isNotOnlyLineEnds(text: string): boolean {
  return /[^\r\n]/.test(text);
}

/** A text that goes into a file. One that cannot be stored as it is given is refused rather than changed. */
export function storedText(): z.ZodString {
  return z.string().check(({ value, issues }) => {
    const problem = textProblem(value);
    if (problem !== null) issues.push({ code: 'custom', message: problem, input: value });
  });
}
