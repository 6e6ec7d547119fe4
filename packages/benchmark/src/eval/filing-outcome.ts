/** Keys are paths within the vault (`projects/x/state.md`), values whole texts. */
export type VaultFiles = ReadonlyMap<string, string>;

/** The initial state: the vault, and the texts of the input documents. */
export type InitialState = { files: VaultFiles; documents: readonly string[] };

/** The state after all inputs were filed. */
export type FilingOutcome = {
  files: VaultFiles;
  /** How many inputs were finished: filed, held, asked about, or already known. */
  settled: number;
  /** Whether the changes for an input are waiting for the user's approval. */
  held: boolean;
  /** The days on which inputs were filed, in the form `2026-03-02`. */
  days: readonly string[];
  /** The local times that came with the inputs, in the form `2026-03-02T10:00:00`; a system may keep them. */
  times?: readonly string[];
  /** The lines shown for each question, best first. */
  answers: readonly (readonly string[])[];
  /** What the user was told about each input. */
  receipts: readonly Receipt[];
};

export type Receipt = {
  outcome: 'filed' | 'known' | 'held' | 'asked';
  text: string;
  /** The files that it names as changed. */
  paths?: readonly string[];
};

/** How many expectations are met, and a sentence for each one that is not. */
export type DimensionScore = { passed: number; of: number; problems: string[] };

/** Summarizes checks; each is a problem, or null when the expectation is met. */
export function sumUp(results: readonly (string | null)[]): DimensionScore {
  const problems = results.filter((problem) => problem !== null);
  return { passed: results.length - problems.length, of: results.length, problems };
}

export function shown(path: string): string {
  return `vault/${path}`;
}
