/**
 * Lowercases a text and removes accents. The length usually stays the same; callers check this before they apply
 * offsets to the original text.
 */
export function normalizeText(text: string): string {
  const folded = Array.from(text, (letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('');
  return folded.length === text.length ? folded : text.toLowerCase();
}
