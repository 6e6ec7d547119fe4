/** Something that reads foreign bytes, and what has to hold whatever they are. */
export type Target = {
  /** How many inputs a full run tries, by what one costs. */
  full: number;
  /** Longer inputs are cut. */
  longest: number;
  /** Pieces that mean something to it. */
  words: readonly string[];
  open(): Promise<Opened> | Opened;
};

export type Opened = {
  /** Throws when something does not hold. */
  run(input: Buffer): Promise<void> | void;
  close?(): Promise<void>;
};

/** Something that had to hold and did not. */
export class Broken extends Error {}

export function must(holds: boolean, promise: string): void {
  if (!holds) throw new Broken(promise);
}
