import Database from 'better-sqlite3';
import type { Evidence } from './memory-system.ts';

const maxResults = 10;

/** Returns a search of plain SQLite FTS5: one row per paragraph, Porter stemming, any of the words, ranked by BM25. */
export function createParagraphIndex(): (
  files: ReadonlyMap<string, string>,
  queries: readonly string[],
) => Evidence[] {
  let indexed: { signature: string; database: Database.Database } | null = null;
  return (files, queries) => {
    const signature = [...files].map(([path, text]) => `${path} ${text.length}`).join('\n');
    if (indexed?.signature !== signature) {
      indexed?.database.close();
      indexed = { signature, database: indexParagraphs(files) };
    }
    const words = queries.join(' ').match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    return indexed.database
      .prepare<[string, number], Required<Evidence>>(
        'SELECT path, start, text FROM paragraphs WHERE paragraphs MATCH ? ORDER BY rank LIMIT ?',
      )
      .all(words.map((word) => `"${word}"`).join(' OR '), maxResults);
  };
}

function indexParagraphs(files: ReadonlyMap<string, string>): Database.Database {
  const database = new Database(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE paragraphs USING fts5(text, path UNINDEXED, start UNINDEXED, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO paragraphs (text, path, start) VALUES (?, ?, ?)');
  database.transaction(() => {
    for (const [path, text] of files)
      for (const { start, text: paragraph } of splitParagraphs(text)) insert.run(paragraph, path, start);
  })();
  return database;
}

function splitParagraphs(text: string): { start: number; text: string }[] {
  const found: { start: number; lines: string[] }[] = [];
  let isOpen = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') isOpen = false;
    else if (isOpen) found.at(-1)?.lines.push(line);
    else {
      found.push({ start: index + 1, lines: [line] });
      isOpen = true;
    }
  }
  return found.map(({ start, lines }) => ({ start, text: lines.join('\n') }));
}
