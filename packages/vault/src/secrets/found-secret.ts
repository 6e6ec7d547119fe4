/** A range of a text, in UTF-16 code units, that looks like a secret. */
export type FoundSecret = {
  start: number;
  end: number;
  /** What it looks like, for example `GitHub key` or `password`. Never contains the secret. */
  kind: string;
};
