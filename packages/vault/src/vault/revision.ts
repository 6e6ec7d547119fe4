import { createHash, hash } from 'node:crypto';

declare const brand: unique symbol;

/** A short hash of a file's bytes as they were read. Two equal revisions mean equal content. */
export type Revision = string & { readonly [brand]: 'Revision' };

const digits = 16;

export function revisionOf(bytes: Uint8Array): Revision {
  return hash('sha256', bytes, 'hex').slice(0, digits) as Revision;
}

/** The same revision, for a file that is too large to hold. */
export function startRevision(): { add(bytes: Uint8Array): void; finish(): Revision } {
  const sum = createHash('sha256');
  return {
    add: (bytes) => void sum.update(bytes),
    finish: () => sum.digest('hex').slice(0, digits) as Revision,
  };
}
