import { decodeText, fileKindOf, computeRevision } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { fuseRankings } from './rank-fusion.ts';
import type { Query } from './query.ts';
import { toWordless } from './lexical-retriever.ts';
import type { RetrievalQuery } from './lexical-retriever.ts';
import type { PathPredicate } from './scopes.ts';
import { createTextMatcher } from './text-matcher.ts';
import { scoreChunks } from './score-chunks.ts';
import type { Scored, CorpusStats } from './score-chunks.ts';
import type { IndexedChunk, NoteMatches } from './chunk-index.ts';
import { chunkImage, chunkFile } from './chunker.ts';
import type { Chunk } from './chunker.ts';
import { stemTerm, tokenize } from './tokenizer.ts';

/** The staged files of a transaction: their new content, or null if they are deleted. */
export type StagedFiles = ReadonlyMap<VaultPath, Buffer | null>;

/** Splits files in memory into chunks, as if they were indexed. */
export function chunkStaged(
  staged: StagedFiles,
  { isWanted, layout }: { isWanted: (path: VaultPath, day: string | null) => boolean; layout: Layout },
): IndexedChunk[] {
  return [...staged].flatMap(([path, bytes]) =>
    bytes === null
      ? []
      : chunksFrom(path, bytes, layout).flatMap(({ date, ...chunk }, index) =>
          isWanted(path, date)
            ? [{ ...chunk, id: `${path}#${index}`, path, revision: computeRevision(bytes), date: date ?? '' }]
            : [],
        ),
  );
}

type StagedQuery = Pick<RetrievalQuery, 'isWordless' | 'parsed'> & { isIncluded: PathPredicate | null };

/** Ranks chunks in memory. Transactions are small, so all chunks are scored. */
export function rankStaged(
  chunks: readonly IndexedChunk[],
  queries: readonly StagedQuery[],
  statistics: CorpusStats,
): Scored<IndexedChunk>[] {
  if (chunks.length === 0) return [];
  return fuseRankings(
    queries.map(({ isWordless, parsed, isIncluded }) => {
      const included = chunks.filter(({ path }) => isIncluded?.(path) !== false);
      if (isWordless) return firstOfEach(included).map(toWordless);
      return scoreChunks(
        parsed,
        included.filter((chunk) => isMatch(parsed, chunk)),
        statistics,
      );
    }),
  );
}

function firstOfEach(chunks: readonly IndexedChunk[]): IndexedChunk[] {
  return [...new Map(chunks.toReversed().map((chunk) => [chunk.path, chunk])).values()];
}

/** Finds the notes in memory that contain all of a query, like `ChunkIndex.findMatches`. */
export function matchStaged(chunks: readonly IndexedChunk[], query: Query): NoteMatches[] {
  if (chunks.length === 0) return [];
  const matcher = createTextMatcher(query);
  const found = new Map<VaultPath, { parts: Set<number>; lines: number[] }>();
  for (const { path, kind, body, lines } of chunks) {
    const match = typeof kind === 'string' ? matcher.match(body) : null;
    if (match === null) continue;
    const known = found.get(path) ?? { parts: new Set(), lines: [] };
    found.set(path, {
      parts: known.parts.union(match.parts),
      lines: [...known.lines, ...match.lines.map((line) => lines.start + line)],
    });
  }
  return [...found].flatMap(([path, { parts, lines }]) =>
    parts.size === matcher.parts && lines.length > 0 ? [{ path, lines, chunks: [] }] : [],
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
