import type { Book } from './book.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { generateSequence } from './sequence.ts';
import type { SequenceOptions } from './sequence.ts';
import { generateSingle } from './single.ts';
import { hashOfSet, writeSet } from './write-set.ts';

export const generatedLanguages = ['fr', 'en', 'de'] as const;
type Language = (typeof generatedLanguages)[number];

const books: Record<Language, Book> = { fr: french, en: english, de: german };

type SetOptions = SequenceOptions & {
  languages: readonly Language[];
  /** How many single scenarios in each language. */
  singles: number;
};

/** Writes a set that follows from its options alone, and gives what names it. The folder is new or empty. */
export function generateSet(
  folder: string,
  { languages, singles, ...options }: SetOptions,
): { files: number; sha256: string } {
  writeSet(folder, {
    singles: languages.flatMap((language) =>
      Array.from({ length: singles }, (_, index) => generateSingle(books[language], options.seed, index)),
    ),
    sequences: languages.flatMap((language) =>
      options.updates === 0 ? [] : [generateSequence(books[language], options)],
    ),
  });
  return hashOfSet(folder);
}

/**
 * The sequences that come with Keepsake. The first of each language grows to 100,000 tokens and more. Everybody can read
 * them, so whoever wants to know what a model does with what it cannot have seen takes a seed of their own.
 */
const publishedSequences: readonly (SequenceOptions & { language: Language })[] = [
  { language: 'fr', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'fr', seed: 2, updates: 80, transcripts: 10_000 },
  { language: 'en', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'en', seed: 2, updates: 80, transcripts: 10_000 },
  { language: 'de', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'de', seed: 2, updates: 80, transcripts: 10_000 },
];

/** Beside what else is in that folder. */
export function writePublishedSequences(folder: string): void {
  const sequences = publishedSequences.map(({ language, ...options }) =>
    generateSequence(books[language], options),
  );
  writeSet(folder, { singles: [], sequences });
}
