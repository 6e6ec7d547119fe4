import type { Database, Statement } from 'better-sqlite3';
import { dateRangeSql, dateRange } from '../date-filter.ts';
import { datesInDigits } from '../parse-dates.ts';
import type { Query } from '../query.ts';
import type { SearchFilter, ChunkIndex } from '../chunk-index.ts';
import { createPhraseTest } from '../text-matcher.ts';
import { tokenize } from '../tokenizer.ts';
import type { FileTable } from './file-table.ts';
import { buildAndQuery, buildPhraseQuery, buildRareTermsQuery, buildTitleQuery } from './fts-query.ts';
import type { ReadChunks } from './chunk-reader.ts';
import type { TermDictionary } from './vocabulary.ts';

type LexicalSearchDependencies = {
  database: Database;
  known: Pick<FileTable, 'all' | 'pathOf'>;
  vocabulary: Pick<TermDictionary, 'frequency' | 'beginning' | 'years'>;
  readChunks: ReadChunks;
};

type FtsHit = { id: number; bm25: number };
/** Returns the best matches of an FTS5 expression. */
type FtsSearch = (
  match: string | null,
  filter: SearchFilter,
  limit: number,
  options?: { columns?: 'all' | 'title'; accepts?: ((chunk: number) => boolean) | undefined },
) => FtsHit[];

export function createLexicalSearch({
  database,
  known,
  vocabulary,
  readChunks,
}: LexicalSearchDependencies): ChunkIndex['searchTerms'] {
  const matchesOf = createFtsSearch(database, known);
  const createTest = createChunkTest(database);

  /**
   * Finds chunks by rare terms, and by common ones only while there are too few results, because common terms are
   * expensive. All terms count for the rank.
   */
  const searchRareTermsFirst = (
    query: Query,
    filter: SearchFilter,
    limit: number,
    accepts: ReturnType<typeof createTest>,
  ): FtsHit[] => {
    const terms = query.terms
      .map((term) => ({ term, count: vocabulary.frequency(term) }))
      .toSorted((a, b) => a.count - b.count);
    const dates = datesInDigits(query.dates, vocabulary.years);
    let found: FtsHit[] = [];
    for (let taken = 0, most = initialPostingBudget; taken < terms.length; most *= 10) {
      const from = taken;
      let total = 0;
      const kept = terms.filter(({ count }, index) => (total += count) <= most || index <= from);
      taken = kept.length;
      found = matchesOf(
        buildRareTermsQuery(query, { rareTerms: kept.map(({ term }) => term), dates }, vocabulary.beginning),
        filter,
        limit,
        { accepts },
      );
      if (found.length >= limit / 3) break;
    }
    return found;
  };

  const search: ChunkIndex['searchTerms'] = (query, filter, limit) => {
    const accepts = createTest(query);
    const all = matchesOf(buildAndQuery(query, vocabulary.beginning), filter, limit, { accepts });
    // A separate search for chunks with the exact query text is needed only if `all` reached the limit and may lack
    // some of them.
    const exact =
      all.length < limit ? [] : matchesOf(buildPhraseQuery(tokenize(query.exactText)), filter, limit);
    const some = all.length < limit / 2 ? searchRareTermsFirst(query, filter, limit, accepts) : [];
    const byName = (operator: 'AND' | 'OR'): FtsHit[] =>
      query.phrases.length > 0
        ? []
        : matchesOf(buildTitleQuery(query, operator, vocabulary.beginning), filter, maxByName, {
            columns: 'title',
          });
    const withName = byName('AND');
    const named = withName.length > 0 ? withName : byName('OR');
    const found = new Map<number, number | undefined>([...named, ...exact].map(({ id }) => [id, undefined]));
    for (const { id, bm25 } of [...all, ...some]) found.set(id, bm25);
    return readChunks([...found.keys()]).map((chunk) => {
      const bm25 = found.get(Number(chunk.id));
      return bm25 === undefined ? chunk : { ...chunk, bm25 };
    });
  };

  return (query, filter, limit) => {
    const found = search(query, filter, limit);
    // Users quote titles from memory: if no chunk contains the phrase, search for its words instead.
    return found.length > 0 || query.phrases.length === 0
      ? found
      : search({ ...query, phrases: [] }, filter, limit);
  };
}

/** Checks the scope only for matches, best first, instead of filtering all chunks. */
function createFtsSearch(database: Database, known: LexicalSearchDependencies['known']): FtsSearch {
  const ranked = (weights: string): Statement =>
    database.prepare(
      `select rowid as id, -rank as bm25 from documents_fts
       where documents_fts match @match and rank match 'bm25(${weights})' order by rank limit @limit`,
    );
  const selects = { all: ranked('0.0, 1.0, 1.0'), title: ranked('0.0, 1.0, 0.0') };
  const fileOf = database.prepare('select file from keepsake_sections where id = ?').pluck();
  /** Like `fileOf`, but only if the chunk is within the date range. */
  const fileIn = database
    .prepare(
      `select s.file from keepsake_sections s join keepsake_files f on f.id = s.file where s.id = @id and ${dateRangeSql}`,
    )
    .pluck();
  return (match, filter, limit, { columns = 'all', accepts } = {}) => {
    const select = selects[columns];
    if (match === null) return [];
    const { isInScope, from, to } = filter;
    const isTimed = from !== null || to !== null;
    if (isInScope === null && !isTimed && accepts === undefined)
      return select.all({ match, limit }) as FtsHit[];
    const time = dateRange(filter);
    known.all();
    const found: FtsHit[] = [];
    for (const row of select.iterate({ match, limit: -1 })) {
      const matched = row as FtsHit;
      const file = isTimed ? fileIn.get({ id: matched.id, ...time }) : fileOf.get(matched.id);
      const path = known.pathOf(Number(file ?? 0));
      if (path !== undefined && isInScope?.(path) !== false && accepts?.(matched.id) !== false)
        found.push(matched);
      if (found.length === limit) break;
    }
    return found;
  };
}

/** Creates a function that tests whether chunks contain the phrases of a query word for word; FTS5 finds other endings, too. */
function createChunkTest(database: Database): (query: Query) => ((chunk: number) => boolean) | undefined {
  const select = database
    .prepare('select d.title, c.doc from documents d join content c on c.hash = d.hash where d.id = ?')
    .raw();
  return (query) => {
    const hasPhrases = createPhraseTest(query);
    return hasPhrases === null ? undefined : (chunk) => hasPhrases((select.get(chunk) ?? []) as string[]);
  };
}

/** Number of postings that can be scanned without noticeable delay. */
const initialPostingBudget = 2_000;
/** Number of additional candidates whose headings or names contain the terms. */
const maxByName = 10;
