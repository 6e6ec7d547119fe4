import { collapseWhitespace, fold } from '../../../vault/src/review/index.ts';

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
