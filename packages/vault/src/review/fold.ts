/** Normalizes case, accents and whitespace. */
export function fold(text: string): string {
  return collapseWhitespace(
    text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase(),
  );
}

export function collapseWhitespace(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/** A rough stem for plurals and the English genitive. */
export function withoutPlural(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word;
}
