/** Marks where a line break divides a word. `cleanText` removes this character from texts. */
export const softHyphen = '\u00AD';

/**
 * Rejoins divided words. A compound keeps its hyphen; other occurrences in the document show whether a word is one.
 */
export function rejoinHyphenation(markdown: string): string {
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
    .replaceAll(softHyphen, '');
}
