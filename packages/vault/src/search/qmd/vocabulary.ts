import type { Database } from 'better-sqlite3';
import { stemmer } from 'stemmer';
import { oneLetterAway } from '../one-letter-away.ts';

/** The words of all sections, as FTS5 keeps them: folded and reduced to their stems. */
export type Vocabulary = {
  /** In how many sections a word occurs; remembered until something is indexed. */
  frequency: (word: string) => number;
  /** The start of words that are there: this one, or as much of it as stems have left. Null when there are none. */
  beginning: (prefix: string) => string | null;
  /** Words that are there and differ from one that is not by one letter, the most frequent first. */
  alike: (word: string) => string[];
  forget: () => void;
};

const mostAlike = 3;
/** A stem keeps at least this share of the letters of its words. */
const leastKept = 0.6;

export function createVocabulary(database: Database): Vocabulary {
  const inWords = database.prepare('select doc from temp.keepsake_words where term = ?').pluck();
  const beginsWith = database.prepare(
    'select 1 from temp.keepsake_words where term >= ? and term < ? limit 1',
  );
  const countMatches = database
    .prepare('select count(*) from documents_fts where documents_fts match ?')
    .pluck();
  const frequencies = new Map<string, number>();
  const countOf = (word: string): number => Number(inWords.get(stemmer(word)) ?? 0);
  return {
    frequency(word) {
      const remembered = frequencies.get(word);
      if (remembered !== undefined) return remembered;
      const count = countOf(word) || Number(countMatches.get(`"${word}"`) ?? 0);
      frequencies.set(word, count);
      return count;
    },
    beginning(prefix) {
      for (let length = prefix.length; length >= Math.max(2, prefix.length * leastKept); length -= 1) {
        const start = prefix.slice(0, length);
        if (beginsWith.get(start, `${start}\u{10ffff}`) !== undefined) return start;
      }
      return null;
    },
    alike(word) {
      const byStem = new Map<string, { word: string; count: number }>();
      for (const other of oneLetterAway(word)) {
        const stem = stemmer(other);
        if (byStem.has(stem)) continue;
        const count = countOf(other);
        if (count > 0) byStem.set(stem, { word: other, count });
      }
      const found = [...byStem.values()].toSorted((a, b) => b.count - a.count);
      return found.slice(0, mostAlike).map((each) => each.word);
    },
    forget: () => frequencies.clear(),
  };
}
