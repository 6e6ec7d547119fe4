/** Between the parts of a word that a line ended in the middle of. `cleanText` leaves none in a text. */
export const division = '\u00AD';

/** A compound broken at its hyphen keeps it, a divided word does not: what else the document says tells which it is. */
export function mendWords(markdown: string): string {
  const divided = /(\p{L}[\p{L}-]*)\u00AD(\p{L}+)/gu;
  const words = new Set(markdown.toLowerCase().match(/\p{L}[\p{L}-]*(?![\p{L}\u00AD-])/gu));
  const isDividing = [...markdown.matchAll(divided)].length > Math.max(2, markdown.length / 5000);
  return markdown
    .replaceAll(divided, (_, first: string, second: string) => {
      const [compound, word] = [`${first}-${second}`, `${first}${second}`];
      if (words.has(word.toLowerCase())) return word;
      if (words.has(compound.toLowerCase()) || first.includes('-') || !isDividing) return compound;
      const isCompound = [first, second].every((part) => part.length > 3 && words.has(part.toLowerCase()));
      return isCompound ? compound : word;
    })
    .replaceAll(division, '');
}
