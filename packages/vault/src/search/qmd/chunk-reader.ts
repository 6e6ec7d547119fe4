import type { Database } from 'better-sqlite3';
import type { IndexedChunk } from '../chunk-index.ts';
import type { Heading, Chunk } from '../chunker.ts';
import { foldText } from '../folded-text.ts';
import { CorruptIndexError } from './index-error.ts';

/** Reads the chunks with these ids; ids that do not exist are skipped. */
export type ReadChunks = (ids: readonly number[]) => IndexedChunk[];

/** Caches the chunks that were read last, until something is indexed. */
export type ChunkReader = { read: ReadChunks; forget: () => void };

/** A chunk has up to a few kilobytes of text, and as much normalized text. */
const maxCachedChunks = 1_000;

type Row = Omit<IndexedChunk, 'lines' | 'headings' | 'kind'> & {
  first: number;
  last: number;
  headings: string;
  kind: string;
};

export function createChunkReader(database: Database): ChunkReader {
  const select = database.prepare(
    `select s.id, f.path, f.revision, s.first_line as first, s.last_line as last, s.headings, s.kind, s.day as date,
       d.title as headingPath, c.doc as body
     from json_each(?) wanted join keepsake_sections s on s.id = wanted.value
       join keepsake_files f on f.id = s.file join documents d on d.id = s.id join content c on c.hash = d.hash`,
  );
  const cached = new Map<number, IndexedChunk>();
  return {
    read(ids) {
      const missing = ids.filter((id) => !cached.has(id));
      const read = missing.length === 0 ? [] : (select.all(JSON.stringify(missing)) as Row[]).map(chunkFrom);
      const found = new Map(read.map((chunk) => [Number(chunk.id), chunk]));
      const chunks = ids.flatMap((id) => cached.get(id) ?? found.get(id) ?? []);
      for (const [id, chunk] of found) cached.set(id, chunk);
      for (const id of cached.keys()) {
        if (cached.size <= maxCachedChunks) break;
        cached.delete(id);
      }
      return chunks;
    },
    forget: () => cached.clear(),
  };
}

function chunkFrom({ first, last, headings, kind, ...rest }: Row): IndexedChunk {
  // SQLite may read a damaged page without an error.
  if (typeof rest.body !== 'string' || typeof rest.headingPath !== 'string')
    throw new CorruptIndexError('missing text');
  const lines = { start: first, end: last };
  const parsed = { lines, headings: parse(headings) as Heading[], kind: parse(kind) as Chunk['kind'] };
  return { ...rest, ...parsed, folded: foldText({ ...rest, ...parsed }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CorruptIndexError('invalid JSON');
  }
}
