import type { Phrasebook } from './phrasebook.ts';
import type { GeneratedUpdate } from './compose-update.ts';
import type { GeneratedExpectation } from './expectation.ts';

/** A complete scenario as plain values: the content of its YAML files, and the files next to them. */
export type GeneratedScenario = {
  id: string;
  scenario: Record<string, unknown>;
  solution: Record<string, unknown>;
  /** Texts by their path within the vault. */
  vault: ReadonlyMap<string, string>;
  /** Texts by file name. */
  inputs: ReadonlyMap<string, string>;
};

type Parts = {
  id: string;
  book: Phrasebook;
  about: string;
  vault: ReadonlyMap<string, string>;
  updates: readonly GeneratedUpdate[];
  /** Words that the user wants to be forgotten after all inputs. */
  forget?: readonly string[];
  expect: Omit<GeneratedExpectation, 'allowed'>;
  /** The files that a perfect answer to each question shows. */
  answers: readonly { files: { path: string }[] }[];
};

export function toScenario({
  id,
  book,
  about,
  vault,
  updates,
  forget,
  expect,
  answers,
}: Parts): GeneratedScenario {
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
      ...(forget === undefined ? {} : { forget }),
      expect: { ...expect, allowed },
    },
    solution: { inputs: updates.map(({ solution }) => solution), questions: answers },
    vault,
    inputs: new Map(updates.flatMap(({ files }) => files)),
  };
}
