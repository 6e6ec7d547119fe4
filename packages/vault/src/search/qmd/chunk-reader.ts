import type { Database } from 'better-sqlite3';
import type { IndexedChunk } from '../chunk-index.ts';
import type { Heading, Chunk } from '../chunker.ts';
import { CorruptIndexError } from './index-error.ts';

/** Reads the chunks with these ids; ids that do not exist are skipped. */
export type ReadChunks = (ids: readonly number[]) => IndexedChunk[];

type Row = Omit<IndexedChunk, 'lines' | 'headings' | 'kind'> & {
  first: number;
  last: number;
  headings: string;
  kind: string;
};

export function createChunkReader(database: Database): ReadChunks {
  const select = database.prepare(
    `select s.id, f.path, f.revision, s.first_line as first, s.last_line as last, s.headings, s.kind, s.day as date,
       d.title as headingPath, c.doc as body
     from json_each(?) wanted join keepsake_sections s on s.id = wanted.value
       join keepsake_files f on f.id = s.file join documents d on d.id = s.id join content c on c.hash = d.hash`,
  );
  return (ids) => (select.all(JSON.stringify(ids)) as Row[]).map(chunkFrom);
}

function chunkFrom({ first, last, headings, kind, ...rest }: Row): IndexedChunk {
  // SQLite may read a damaged page without an error.
  if (typeof rest.body !== 'string' || typeof rest.headingPath !== 'string')
    throw new CorruptIndexError('missing text');
  const lines = { start: first, end: last };
  return { ...rest, lines, headings: parse(headings) as Heading[], kind: parse(kind) as Chunk['kind'] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CorruptIndexError('invalid JSON');
  }
}
