import { decodeText, fileKindOf, computeRevision } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { fuseRankings } from './rank-fusion.ts';
import { parseQuery } from './query.ts';
import type { Query } from './query.ts';
import { scoreChunks } from './score-chunks.ts';
import type { Scored, CorpusStats } from './score-chunks.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { chunkImage, chunkFile } from './chunker.ts';
import type { Chunk } from './chunker.ts';
import { stemTerm, tokenize } from './tokenizer.ts';

/** The staged files of a transaction: their new content, or null if they are deleted. */
export type StagedFiles = ReadonlyMap<VaultPath, Buffer | null>;

export type StagedSearchOptions = {
  queries: readonly string[];
  isWanted: (path: VaultPath, day: string | null) => boolean;
  statistics: CorpusStats;
  layout: Layout;
};

/** Ranks the chunks of files in memory as if they were indexed. Transactions are small, so all chunks are scored. */
export function searchStaged(
  staged: StagedFiles,
  { queries, isWanted, statistics, layout }: StagedSearchOptions,
): Scored<IndexedChunk>[] {
  const chunks = [...staged].flatMap(([path, bytes]) =>
    bytes === null ? [] : chunksIn(path, bytes, isWanted, layout),
  );
  if (chunks.length === 0) return [];
  return fuseRankings(
    queries.map((text) => {
      const query = parseQuery(text);
      const fitting = chunks.filter((chunk) => isMatch(query, chunk));
      return scoreChunks(query, fitting, statistics);
    }),
  );
}

function chunksIn(
  path: VaultPath,
  bytes: Buffer,
  isWanted: StagedSearchOptions['isWanted'],
  layout: Layout,
): IndexedChunk[] {
  return chunksFrom(path, bytes, layout).flatMap(({ date, ...chunk }, index) =>
    isWanted(path, date)
      ? [
          {
            ...chunk,
            id: `${path}#${index}`,
            path,
            revision: computeRevision(bytes),
            date: date ?? '',
          },
        ]
      : [],
  );
}

function chunksFrom(path: VaultPath, bytes: Buffer, layout: Layout): Chunk[] {
  if (fileKindOf(path) === 'image') return [chunkImage(path, layout)];
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? chunkFile(path, decoded.text, layout) : [];
}

function isMatch(
  { terms, prefixes, phrases, excluded }: Query,
  { headingPath, body }: IndexedChunk,
): boolean {
  const words = tokenize(`${headingPath}\n${body}`);
  const text = ` ${words.join(' ')} `;
  const has = (phrase: readonly string[]): boolean => text.includes(` ${phrase.join(' ')} `);
  const stems = new Set(words.map(stemTerm));
  const hasTerm = (term: string): boolean =>
    prefixes.has(term) ? text.includes(` ${term}`) : stems.has(stemTerm(term));
  return phrases.every(has) && !excluded.some(has) && terms.some(hasTerm);
}
