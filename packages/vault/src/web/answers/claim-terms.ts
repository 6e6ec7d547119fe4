import { normalizeText } from '../palette/normalize-text.ts';
import { splitSentences } from '../file/mark-passage.ts';

/** The words of an overview that a source is cited for; those of the whole overview if it does not cite the source. */
export function claimTerms(overview: string, number: number): string[] {
  const sentences = splitSentences(overview).map(({ start, end }) => overview.slice(start, end));
  // A citation may follow the full stop of its sentence.
  const cited = sentences.flatMap((sentence, index) => {
    if (!sentence.includes(`[${number}]`)) return [];
    const leading = /^[[\]\d\s]+/.exec(sentence)?.[0] ?? '';
    const before = leading.includes(`[${number}]`) ? [sentences[index - 1] ?? ''] : [];
    const isOnlyLeading = !sentence.slice(leading.length).includes(`[${number}]`);
    return isOnlyLeading ? before : [...before, sentence];
  });
  return contentWords((cited.length > 0 ? cited : sentences).join(' '));
}

/** The words that say something: longer ones and numbers, normalized, each once. */
export function contentWords(text: string): string[] {
  const words = normalizeText(text.replaceAll(/\[\d+\]/g, ' ')).split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word.length > 3 || /\d/.test(word)))];
}
