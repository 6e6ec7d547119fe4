/** Code that parses untrusted bytes, with the invariants that must hold for any input. */
export type Target = {
  /** How many inputs a full run tries, depending on their cost. */
  full: number;
  /** In bytes; longer inputs are truncated. */
  maxBytes: number;
  /** Tokens that are meaningful to the parser. */
  words: readonly string[];
  open(): Promise<Opened> | Opened;
};

export type Opened = {
  /** Throws when an invariant is violated. */
  run(input: Buffer): Promise<void> | void;
  close?(): Promise<void>;
};

/** A violated invariant. */
export class Broken extends Error {}

export function must(holds: boolean, promise: string): void {
  if (!holds) throw new Broken(promise);
}
