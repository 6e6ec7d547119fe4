import type { Database } from 'better-sqlite3';
import { inTimeSql, timeOf } from '../in-time.ts';
import type { Query } from '../query.ts';
import type { Filter, SectionIndex } from '../section-index.ts';
import { wordsOf } from '../words.ts';
import type { KnownFiles } from './known-files.ts';
import { matchAll, matchAny, matchLiteral } from './match.ts';
import type { ReadSections } from './section-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

type Parts = {
  database: Database;
  known: Pick<KnownFiles, 'all' | 'pathOf'>;
  vocabulary: Pick<Vocabulary, 'frequency' | 'beginning'>;
  readSections: ReadSections;
};

type Matched = { id: number; keywords: number };
/** The best matches of a query as FTS5 reads it. */
type FindMatches = (match: string | null, filter: Filter, limit: number) => Matched[];

export function createLexicalSearch({
  database,
  known,
  vocabulary,
  readSections,
}: Parts): SectionIndex['lexical'] {
  const matchesOf = createMatcher(database, known);

  /** Rare words first; common ones, which tell little and cost most, only as far as there is not enough to go by. */
  const matchSome = (query: Query, filter: Filter, limit: number): Matched[] => {
    const terms = query.terms
      .map((term) => ({ term, count: vocabulary.frequency(term) }))
      .toSorted((a, b) => a.count - b.count);
    let found: Matched[] = [];
    for (let taken = 0, most = cheap; taken < terms.length; most *= 10) {
      const from = taken;
      let total = 0;
      const kept = terms.filter(({ count }, index) => (total += count) <= most || index <= from);
      taken = kept.length;
      found = matchesOf(
        matchAny({ ...query, terms: kept.map(({ term }) => term) }, vocabulary.beginning),
        filter,
        limit,
      );
      if (found.length >= limit / 3) break;
    }
    return found;
  };

  const search: SectionIndex['lexical'] = (query, filter, limit) => {
    const all = matchesOf(matchAll(query, vocabulary.beginning), filter, limit);
    // As it was typed: among those with all words, unless there are more of them than were asked for.
    const literal = all.length < limit ? [] : matchesOf(matchLiteral(wordsOf(query.literal)), filter, limit);
    const some = all.length < limit / 2 ? matchSome(query, filter, limit) : [];
    const found = new Map<number, number | undefined>(literal.map(({ id }) => [id, undefined]));
    for (const { id, keywords } of [...all, ...some]) found.set(id, keywords);
    return readSections([...found.keys()]).map((section) => {
      const keywords = found.get(Number(section.id));
      return keywords === undefined ? section : { ...section, keywords };
    });
  };

  return (query, filter, limit) => {
    const found = search(query, filter, limit);
    // People quote titles as they remember them: where nothing has the phrase, its words are looked for.
    return found.length > 0 || query.phrases.length === 0
      ? found
      : search({ ...query, phrases: [] }, filter, limit);
  };
}

/** A scope is checked only for what the words found, best first. */
function createMatcher(database: Database, known: Parts['known']): FindMatches {
  const ranked = `documents_fts match @match and rank match 'bm25(0.0, 1.0, 1.0)'`;
  const select = database.prepare(
    `select rowid as id, -rank as keywords from documents_fts where ${ranked} order by rank limit @limit`,
  );
  const fileOf = database.prepare('select file from keepsake_sections where id = ?').pluck();
  /** The same, if the section is of the time asked for. */
  const fileIn = database
    .prepare(
      `select s.file from keepsake_sections s join keepsake_files f on f.id = s.file where s.id = @id and ${inTimeSql}`,
    )
    .pluck();
  return (match, filter, limit) => {
    if (match === null) return [];
    const { isInScope, from, to } = filter;
    const isTimed = from !== null || to !== null;
    if (isInScope === null && !isTimed) return select.all({ match, limit }) as Matched[];
    const time = timeOf(filter);
    known.all();
    const found: Matched[] = [];
    for (const row of select.iterate({ match, limit: -1 })) {
      const matched = row as Matched;
      const file = isTimed ? fileIn.get({ id: matched.id, ...time }) : fileOf.get(matched.id);
      const path = known.pathOf(Number(file ?? 0));
      if (path !== undefined && isInScope?.(path) !== false) found.push(matched);
      if (found.length === limit) break;
    }
    return found;
  };
}

/** So many occurrences are looked at without anybody noticing. */
const cheap = 500;
