import type { Database } from 'better-sqlite3';
import { baseName, createYielder, fileKindOf } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { ChunkIndex, SearchFilter } from '../chunk-index.ts';
import { dateRange, dateRangeSql } from '../date-filter.ts';
import { partsOf } from '../query.ts';
import type { Query } from '../query.ts';
import { createTextMatcher } from '../text-matcher.ts';
import type { FileTable } from './file-table.ts';
import { buildPartQueries } from './fts-query.ts';
import type { TermDictionary } from './vocabulary.ts';

type MatchFinderDependencies = {
  database: Database;
  known: Pick<FileTable, 'all' | 'pathOf'>;
  vocabulary: Pick<TermDictionary, 'frequency' | 'beginning'>;
};

/** The texts of few files are read instead of looking up a word in more chunks than this. */
const cheapLookup = { files: 200, chunks: 2_000 };
/** Texts read at a time. */
const chunksPerPage = 200;

/**
 * Finds all notes that contain every part of a query. The full-text index proposes chunks, whose texts are then compared, so that
 * notes and lines are counted in the same way.
 */
export function createMatchFinder({
  database,
  known,
  vocabulary,
}: MatchFinderDependencies): ChunkIndex['findMatches'] {
  const read = prepare(database);
  const isWanted = ({ isInScope }: SearchFilter, file: number): boolean => {
    const path = known.pathOf(file);
    return path !== undefined && isInScope?.(path) !== false;
  };

  /** The files that contain all parts, and those of their chunks that contain one; null if not all parts were looked up. */
  const propose = (query: Query, filter: SearchFilter): { files: Set<number>; chunks: number[] | null } => {
    const nothing = { files: new Set<number>(), chunks: null };
    const found: [number, number][] = [];
    let files: Set<number> | null = null;
    for (const { part, count } of byFrequency(query, vocabulary)) {
      if (files !== null && files.size <= cheapLookup.files && count > cheapLookup.chunks)
        return { files, chunks: null };
      if (part === null) return nothing;
      const rows = read.chunksWith.all({ match: part, ...dateRange(filter) }) as [number, number][];
      const before: Set<number> | null = files;
      files = new Set(rows.map(([file]) => file));
      files =
        before === null
          ? new Set([...files].filter((file) => isWanted(filter, file)))
          : files.intersection(before);
      if (files.size === 0) return nothing;
      for (const row of rows) found.push(row);
    }
    const all = files ?? new Set();
    return {
      files: all,
      chunks: [...new Set(found.flatMap(([file, chunk]) => (all.has(file) ? [chunk] : [])))],
    };
  };

  return async (query, filter) => {
    const matcher = createTextMatcher(query);
    // What is found for a misspelled word is another word.
    if (matcher.parts === 0 || query.misspelled.size > 0) return [];
    known.all();
    const proposed = propose(query, filter);
    const chunks =
      proposed.chunks ??
      read.chunksOf.all({ files: JSON.stringify([...proposed.files]), ...dateRange(filter) });
    const matches = new Map<number, Found>();
    const pause = createYielder();
    for (let start = 0; start < chunks.length; start += chunksPerPage) {
      const page = JSON.stringify(chunks.slice(start, start + chunksPerPage));
      for (const [file, chunk, first, body] of read.texts.all(page) as TextRow[]) {
        const path = known.pathOf(file);
        // A document without text is indexed by its name.
        if (path === undefined || (fileKindOf(path) === 'other' && body === baseName(path))) continue;
        const match = matcher.match(body);
        if (match === null || match.lines.length === 0) continue;
        const ofFile = matches.get(file) ?? { path, lines: [], chunks: [], parts: new Set<number>() };
        matches.set(file, ofFile);
        ofFile.chunks.push(chunk);
        for (const line of match.lines) ofFile.lines.push(first + line);
        for (const part of match.parts) ofFile.parts.add(part);
      }
      await pause();
    }
    return [...matches.values()].flatMap(({ parts, path, lines, chunks: own }) =>
      parts.size === matcher.parts ? [{ path, lines: lines.toSorted((a, b) => a - b), chunks: own }] : [],
    );
  };
}

type Found = { path: VaultPath; lines: number[]; chunks: number[]; parts: Set<number> };

/** The file, the chunk, its first line and its text. */
type TextRow = [number, number, number, string];

/** The expressions of the parts of a query, the rarest first. */
function byFrequency(
  query: Query,
  { frequency, beginning }: Pick<TermDictionary, 'frequency' | 'beginning'>,
): { part: string | null; count: number }[] {
  const { words, phrases } = partsOf(query);
  const counts = [
    ...words.map((word) => (query.prefixes.has(word) ? Infinity : frequency(word))),
    ...phrases.map((phrase) => Math.min(...phrase.map(frequency))),
  ];
  return buildPartQueries(query, beginning)
    .map((part, index) => ({ part, count: counts[index] ?? 0 }))
    .toSorted((a, b) => a.count - b.count);
}

function prepare(database: Database) {
  // A chunk that describes an image repeats the text of a note.
  const isText = `s.kind in ('"text"', '"properties"') and ${dateRangeSql}`;
  return {
    chunksWith: database
      .prepare(
        `select s.file, s.id from documents_fts t join keepsake_sections s on s.id = t.rowid
           join keepsake_files f on f.id = s.file
         where documents_fts match @match and ${isText}`,
      )
      .raw(),
    chunksOf: database
      .prepare(
        `select s.id from keepsake_sections s join keepsake_files f on f.id = s.file
         where s.file in (select value from json_each(@files)) and ${isText}`,
      )
      .pluck(),
    texts: database
      .prepare(
        `select s.file, s.id, s.first_line, t.body
         from json_each(?) wanted join keepsake_sections s on s.id = wanted.value
           join documents_fts t on t.rowid = s.id`,
      )
      .raw(),
  };
}
