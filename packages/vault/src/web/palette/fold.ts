/** Without case and accents, letter by letter, so that places in it are places in the text. */
export function fold(text: string): string {
  const folded = Array.from(text, (letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('');
  return folded.length === text.length ? folded : text.toLowerCase();
}
