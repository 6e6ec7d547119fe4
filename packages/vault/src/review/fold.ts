/** Normalizes case, accents and whitespace. */
export function fold(text: string): string {
  return collapseWhitespace(
    text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase(),
  );
}

export function collapseWhitespace(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
