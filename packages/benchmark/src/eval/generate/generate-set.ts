import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateAnswerSet } from './answer-set.ts';
import type { Phrasebook } from './phrasebook.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { generateSequence } from './sequence.ts';
import type { SequenceOptions } from './sequence.ts';
import { generateSingle } from './single-scenario.ts';
import { answersFolder, hashDataset, writeAnswerSets, writeSet } from './write-set.ts';

export const generatedLanguages = ['fr', 'en', 'de'] as const;
type Language = (typeof generatedLanguages)[number];

const books: Record<Language, Phrasebook> = { fr: french, en: english, de: german };

type SetOptions = SequenceOptions & {
  languages: readonly Language[];
  /** How many single scenarios to generate per language. */
  singles: number;
  /** How many questions with known answers to generate per language, about a vault of their own. */
  questions: number;
};

/** Writes a set that depends only on its options, and returns its hash. The folder must be new or empty. */
export function generateSet(
  folder: string,
  { languages, singles, questions, ...options }: SetOptions,
): { files: number; sha256: string } {
  writeSet(folder, {
    singles: languages.flatMap((language) =>
      Array.from({ length: singles }, (_, index) => generateSingle(books[language], options.seed, index)),
    ),
    sequences: languages.flatMap((language) =>
      options.updates === 0 ? [] : [generateSequence(books[language], options)],
    ),
  });
  if (questions > 0)
    writeAnswerSets(
      join(folder, answersFolder),
      languages.map((language) => generateAnswerSet(books[language], { seed: options.seed, questions })),
    );
  return hashDataset(folder);
}

/** The number of questions about each of the three generated vaults in the repository. */
const publishedQuestions = 56;

/** Replaces the generated questions and vaults in the folder of the published questions. Questions of other vaults stay. */
export function writePublishedAnswers(folder: string): void {
  const file = join(folder, 'questions.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const others = lines.filter((line) => line !== '' && !line.includes('"vault":"'));
  const sets = generatedLanguages.map((language) =>
    generateAnswerSet(books[language], { seed: 3, questions: publishedQuestions }),
  );
  writeAnswerSets(folder, sets, others);
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
