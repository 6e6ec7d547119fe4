import type { Database } from 'better-sqlite3';
import { stemmer } from 'stemmer';

/** In how many sections a word occurs, remembered until something is indexed. */
export type WordFrequencies = {
  of: (word: string) => number;
  forget: () => void;
};

export function createWordFrequencies(database: Database): WordFrequencies {
  const inWords = database.prepare('select doc from temp.keepsake_words where term = ?').pluck();
  const countMatches = database
    .prepare('select count(*) from documents_fts where documents_fts match ?')
    .pluck();
  const frequencies = new Map<string, number>();
  return {
    of(word) {
      const remembered = frequencies.get(word);
      if (remembered !== undefined) return remembered;
      const count = Number(inWords.get(stemmer(word)) ?? 0) || Number(countMatches.get(`"${word}"`) ?? 0);
      frequencies.set(word, count);
      return count;
    },
    forget: () => frequencies.clear(),
  };
}
