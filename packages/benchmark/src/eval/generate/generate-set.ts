import type { Phrasebook } from './phrasebook.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { generateSequence } from './sequence.ts';
import type { SequenceOptions } from './sequence.ts';
import { generateSingle } from './single-scenario.ts';
import { hashDataset, writeSet } from './write-set.ts';

export const generatedLanguages = ['fr', 'en', 'de'] as const;
type Language = (typeof generatedLanguages)[number];

const books: Record<Language, Phrasebook> = { fr: french, en: english, de: german };

type SetOptions = SequenceOptions & {
  languages: readonly Language[];
  /** How many single scenarios to generate per language. */
  singles: number;
};

/** Writes a set that depends only on its options, and returns its hash. The folder must be new or empty. */
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
  return hashDataset(folder);
}

/**
 * The sequences in the repository. The first of each language grows to more than 100,000 tokens. They are public, so use another seed to
 * test a model on data that it cannot have seen.
 */
const publishedSequences: readonly (SequenceOptions & { language: Language })[] = [
  { language: 'fr', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'fr', seed: 2, updates: 80, transcripts: 10_000 },
  { language: 'en', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'en', seed: 2, updates: 80, transcripts: 10_000 },
  { language: 'de', seed: 1, updates: 60, transcripts: 110_000 },
  { language: 'de', seed: 2, updates: 80, transcripts: 10_000 },
];

/** Leaves other files in the folder alone. */
export function writePublishedSequences(folder: string): void {
  const sequences = publishedSequences.map(({ language, ...options }) =>
    generateSequence(books[language], options),
  );
  writeSet(folder, { singles: [], sequences });
}
