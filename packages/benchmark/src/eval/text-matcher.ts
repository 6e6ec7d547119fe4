/** A text or a pattern to search for. */
export type TextMatcherSpec = { text?: string | undefined; pattern?: string | undefined };

/**
 * A text matches without regard to case, accents or whitespace. A pattern is matched against text with collapsed
 * whitespace.
 */
export function matcherOf({ text, pattern }: TextMatcherSpec): (within: string) => boolean {
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'iu');
    return (within) => regex.test(collapsed(within));
  }
  const folded = fold(text ?? '');
  return (within) => fold(within).includes(folded);
}

export function quoted({ text, pattern }: TextMatcherSpec): string {
  return text === undefined ? `/${pattern}/` : JSON.stringify(text);
}

/** Normalizes case, accents and whitespace. */
export function fold(text: string): string {
  return collapsed(text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase());
}

export function collapsed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
