import type { Book } from './book.ts';
import type { GeneratedUpdate } from './compose.ts';
import type { GeneratedExpectation } from './expectation.ts';

/** A scenario with everything it needs, as plain values: what is written as YAML, and the files beside it. */
export type GeneratedScenario = {
  id: string;
  scenario: Record<string, unknown>;
  solution: Record<string, unknown>;
  /** Path within the vault to text. */
  vault: ReadonlyMap<string, string>;
  /** Name to text. */
  inputs: ReadonlyMap<string, string>;
};

type Parts = {
  id: string;
  book: Book;
  about: string;
  vault: ReadonlyMap<string, string>;
  updates: readonly GeneratedUpdate[];
  expect: Omit<GeneratedExpectation, 'allowed'>;
  /** What a perfect answer to each question shows. */
  answers: readonly { files: { path: string }[] }[];
};

export function scenarioOf({ id, book, about, vault, updates, expect, answers }: Parts): GeneratedScenario {
  const allowed = [...new Set(updates.flatMap((update) => update.allowed))];
  return {
    id,
    scenario: {
      id,
      language: book.language,
      about,
      tags: [...new Set(updates.flatMap(({ tags }) => tags))].toSorted(),
      vault: id,
      inputs: updates.map(({ input }) => input),
      expect: { ...expect, allowed },
    },
    solution: { inputs: updates.map(({ solution }) => solution), questions: answers },
    vault,
    inputs: new Map(updates.flatMap(({ files }) => files)),
  };
}
