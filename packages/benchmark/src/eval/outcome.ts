/** Keys are paths within the vault (`projects/x/state.md`), values whole texts. */
export type Files = ReadonlyMap<string, string>;

/** What there was: the vault, and the text of the documents that came in. */
export type Start = { files: Files; documents: readonly string[] };

/** What there is then. */
export type Outcome = {
  files: Files;
  /** How many inputs came to an end: filed, held, asked about, or found to be known. */
  settled: number;
  /** Whether one of them waits for the person's approval. */
  held: boolean;
  /** The days on which it was done, as `2026-03-02`. */
  days: readonly string[];
  /** The lines shown for each question, best first. */
  answers: readonly (readonly string[])[];
};

/** How much of what was expected is so, and a sentence for each thing that is not. */
export type Dimension = { passed: number; of: number; problems: string[] };

/** From what is wrong with each thing that was expected, or null. */
export function sumUp(results: readonly (string | null)[]): Dimension {
  const problems = results.filter((problem) => problem !== null);
  return { passed: results.length - problems.length, of: results.length, problems };
}

export function shown(path: string): string {
  return `vault/${path}`;
}
