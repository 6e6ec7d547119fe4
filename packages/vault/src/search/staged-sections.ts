import { decodeText, kindOf, revisionOf } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { fuse } from './fuse.ts';
import { parseQuery } from './query.ts';
import type { Query } from './query.ts';
import { rankSections } from './rank.ts';
import type { Ranked, Statistics } from './rank.ts';
import type { IndexedSection } from './section-index.ts';
import { imageSection, sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';
import { stemOf, wordsOf } from './words.ts';

/** What a transaction has staged: the bytes of files as they will be, null for those that go. */
export type StagedTexts = ReadonlyMap<VaultPath, Buffer | null>;

type Wanted = {
  queries: readonly string[];
  isWanted: (path: VaultPath, day: string | null) => boolean;
  statistics: Statistics;
  layout: Layout;
};

/** Ranks the sections of staged files as if they were indexed. There are few, so all of them are looked at. */
export function rankStaged(
  staged: StagedTexts,
  { queries, isWanted, statistics, layout }: Wanted,
): Ranked<IndexedSection>[] {
  const sections = [...staged].flatMap(([path, bytes]) =>
    bytes === null || !layout.isSearchable(path) ? [] : sectionsIn(path, bytes, isWanted, layout),
  );
  if (sections.length === 0) return [];
  return fuse(
    queries.map((text) => {
      const query = parseQuery(text);
      const fitting = sections.filter((section) => isMatch(query, section));
      return rankSections(query, fitting, statistics);
    }),
  );
}

function sectionsIn(
  path: VaultPath,
  bytes: Buffer,
  isWanted: Wanted['isWanted'],
  layout: Layout,
): IndexedSection[] {
  return sectionsFrom(path, bytes, layout).flatMap(({ date, ...section }, index) =>
    isWanted(path, date)
      ? [
          {
            ...section,
            id: `${path}#${index}`,
            path,
            revision: revisionOf(bytes),
            day: date ?? '',
          },
        ]
      : [],
  );
}

function sectionsFrom(path: VaultPath, bytes: Buffer, layout: Layout): Section[] {
  if (kindOf(path) === 'image') return [imageSection(path, layout)];
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? sectionsOf(path, decoded.text, layout) : [];
}

function isMatch({ terms, prefixes, phrases, excluded }: Query, { trail, body }: IndexedSection): boolean {
  const words = wordsOf(`${trail}\n${body}`);
  const text = ` ${words.join(' ')} `;
  const has = (phrase: readonly string[]): boolean => text.includes(` ${phrase.join(' ')} `);
  const stems = new Set(words.map(stemOf));
  const hasTerm = (term: string): boolean =>
    prefixes.has(term) ? text.includes(` ${term}`) : stems.has(stemOf(term));
  return phrases.every(has) && !excluded.some(has) && terms.some(hasTerm);
}
