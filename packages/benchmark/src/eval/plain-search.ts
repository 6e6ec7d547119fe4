import { matchesGlob } from 'node:path';
import Database from 'better-sqlite3';
import { createStopwatch } from './retrieval-metrics.ts';
import type { SearchResult } from './retrieval-metrics.ts';

type Chunk = { path: string; start: number; end: number; title: string; body: string };

/** Searches with FTS5 alone. */
export type PlainSearch = {
  search(query: string, scopes?: readonly string[]): SearchResult;
  close(): void;
};

/** The number of results, as many as Keepsake scores. */
const maxResults = 30;

/**
 * The baseline: the chunks of an index in a full-text table of SQLite, found by any word of the query in any form and ranked
 * by BM25. Scopes are checked for each match, best first, as in Keepsake.
 */
export function openPlainSearch(indexFile: string): PlainSearch {
  const chunks = readChunks(indexFile);
  const database = new Database(':memory:');
  database.exec(`create virtual table plain using fts5(title, body, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into plain (rowid, title, body) values (?, ?, ?)');
  database.transaction(() => {
    for (const [index, { title, body }] of chunks.entries()) insert.run(index, title, body);
  })();
  const select = database.prepare('select rowid from plain where plain match ? order by rank').pluck();
  return {
    search(query, scopes = []) {
      const elapsed = createStopwatch();
      const patterns = scopes.map((scope) => (scope.endsWith('/') ? `${scope}**` : scope));
      const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      const found: Chunk[] = [];
      const rows = words.length === 0 ? [] : select.iterate(words.map((word) => `"${word}"`).join(' OR '));
      for (const row of rows) {
        const chunk = chunks[Number(row)] as Chunk;
        const path = chunk.path.replace(/^vault\//, '');
        if (patterns.length === 0 || patterns.some((pattern) => matchesGlob(path, pattern)))
          found.push(chunk);
        if (found.length === maxResults) break;
      }
      const ranked = found.map(({ path, start, end }) => ({ path, lines: { start, end } }));
      const shown = found.map(({ path, start, end, body }) => ({ path, lines: { start, end }, text: body }));
      return { ranked, shown: withinBudget(shown), ...elapsed() };
    },
    close: () => void database.close(),
  };
}

/** Whole chunks, as long as they fit; the first is always shown. */
function withinBudget(shown: SearchResult['shown']): SearchResult['shown'] {
  let used = 0;
  return shown.filter(({ text }, index) => (used += text.length / 4) <= 2_000 || index === 0);
}

function readChunks(indexFile: string): Chunk[] {
  const database = new Database(indexFile, { readonly: true });
  try {
    return database
      .prepare(
        `select f.path, s.first_line as start, s.last_line as end, d.title, c.doc as body
         from keepsake_sections s join keepsake_files f on f.id = s.file
           join documents d on d.id = s.id join content c on c.hash = d.hash
         where s.kind = '"text"'`,
      )
      .all() as Chunk[];
  } finally {
    database.close();
  }
}
