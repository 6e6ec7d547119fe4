import type { Database } from 'better-sqlite3';
import { stemmer } from 'stemmer';
import { editsOfDistanceOne } from '../edit-distance.ts';

/** The terms of all chunks as FTS5 stores them: normalized and stemmed. */
export type TermDictionary = {
  /** The number of chunks that contain a word; cached until something is indexed. */
  frequency: (word: string) => number;
  /**
   * The longest beginning of `prefix` that an indexed word starts with; the whole prefix may be longer than the stem of
   * the word. Null if there is none.
   */
  beginning: (prefix: string) => string | null;
  /** Indexed words at edit distance 1, most frequent first. */
  alike: (word: string) => string[];
  /** The years that occur most, for dates without a year. */
  years: () => readonly string[];
  forget: () => void;
};

const maxSuggestions = 3;
const maxYears = 3;
/** Letters; with fewer, the range would have many words. */
const commonBeginning = 2;
/** A stem keeps at least this share of the letters of its words. */
const minStemShare = 0.6;

export function createTermDictionary(database: Database): TermDictionary {
  const inWords = database.prepare('select doc from temp.keepsake_words where term = ?').pluck();
  const beginsWith = database.prepare(
    'select 1 from temp.keepsake_words where term >= ? and term < ? limit 1',
  );
  const withBeginning = database
    .prepare('select term, doc from temp.keepsake_words where term >= ? and term < ?')
    .raw();
  const countMatches = database
    .prepare('select count(*) from documents_fts where documents_fts match ?')
    .pluck();
  const selectYears = database
    .prepare(
      `select term from temp.keepsake_words where term between '1900' and '2099' and length(term) = 4
       and term not glob '*[^0-9]*' order by doc desc limit ?`,
    )
    .pluck();
  let years: string[] | null = null;
  const frequencies = new Map<string, number>();
  const similar = new Map<string, string[]>();
  const countOf = (stem: string): number => Number(inWords.get(stem) ?? 0);
  return {
    frequency(word) {
      const remembered = frequencies.get(word);
      if (remembered !== undefined) return remembered;
      const count = countOf(stemmer(word)) || Number(countMatches.get(`"${word}"`) ?? 0);
      frequencies.set(word, count);
      return count;
    },
    beginning(prefix) {
      for (let length = prefix.length; length >= Math.max(2, prefix.length * minStemShare); length -= 1) {
        const start = prefix.slice(0, length);
        if (beginsWith.get(start, `${start}\u{10ffff}`) !== undefined) return start;
      }
      return null;
    },
    alike(word) {
      const remembered = similar.get(word);
      if (remembered !== undefined) return remembered;
      // Most of the hundreds of edits have the beginning of the word, so they are looked up in one range.
      const start = word.slice(0, commonBeginning);
      const alike = new Map(withBeginning.all(start, `${start}\u{10ffff}`) as [string, number][]);
      const byStem = new Map<string, { word: string; count: number }>();
      for (const other of editsOfDistanceOne(word)) {
        const stem = stemmer(other);
        if (byStem.has(stem)) continue;
        const count = stem.startsWith(start) ? (alike.get(stem) ?? 0) : countOf(stem);
        byStem.set(stem, { word: other, count });
      }
      const found = [...byStem.values()]
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, maxSuggestions)
        .map((each) => each.word);
      similar.set(word, found);
      return found;
    },
    years: () => (years ??= selectYears.all(maxYears) as string[]),
    forget() {
      years = null;
      frequencies.clear();
      similar.clear();
    },
  };
}
