import { collapseWhitespace, fold } from '../../../vault/src/review/index.ts';
import { inOtherNotations } from './notations.ts';
import type { Language } from './notations.ts';

/** A text or a pattern to search for. */
export type TextMatcherSpec = { text?: string | undefined; pattern?: string | undefined };

/**
 * A text matches without regard to case, accents or whitespace. A pattern is matched against text with collapsed
 * whitespace.
 */
export function matcherOf({ text, pattern }: TextMatcherSpec): (within: string) => boolean {
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'iu');
    return (within) => regex.test(collapseWhitespace(within));
  }
  const folded = fold(text ?? '');
  return (within) => fold(within).includes(folded);
}

/** Makes matchers of facts, which are recognized in any notation of their dates, times, amounts and numbers. */
export function createFactMatchers(
  language: Language,
  today: string | undefined,
): (fact: TextMatcherSpec) => (within: string) => boolean {
  const known = new Map<string, readonly string[]>();
  const notationsOf = (text: string): readonly string[] => {
    const found = known.get(text) ?? inOtherNotations(collapseWhitespace(text), language, today);
    known.set(text, found);
    return found;
  };
  return ({ text, pattern }) => {
    if (pattern !== undefined) {
      const matches = matcherOf({ pattern });
      return (within) => notationsOf(within).some(matches);
    }
    const matchers = notationsOf(text ?? '').map((each) => matcherOf({ text: each }));
    return (within) => notationsOf(within).some((each, index) => matchers[index]?.(each) === true);
  };
}

export function quoted({ text, pattern }: TextMatcherSpec): string {
  return text === undefined ? `/${pattern}/` : JSON.stringify(text);
}

export function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
