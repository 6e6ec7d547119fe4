/** Words, or a pattern, that somebody looks for in a text. */
export type Wanted = { text?: string | undefined; pattern?: string | undefined };

/** Words match without regard to case, accents and white space; a pattern sees white space collapsed. */
export function matcherOf({ text, pattern }: Wanted): (within: string) => boolean {
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'iu');
    return (within) => regex.test(collapsed(within));
  }
  const folded = fold(text ?? '');
  return (within) => fold(within).includes(folded);
}

export function quoted({ text, pattern }: Wanted): string {
  return text === undefined ? `/${pattern}/` : JSON.stringify(text);
}

/** Without case, accents and differences in white space. */
export function fold(text: string): string {
  return collapsed(text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase());
}

export function collapsed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
