import { createHash, hash } from 'node:crypto';

declare const brand: unique symbol;

/** A short hash of the content of a file. Equal revisions mean equal content. */
export type Revision = string & { readonly [brand]: 'Revision' };

const revisionHexDigits = 16;

export function computeRevision(bytes: Uint8Array): Revision {
  return hash('sha256', bytes, 'hex').slice(0, revisionHexDigits) as Revision;
}

/** Computes the same revision in chunks, for a file that is too large to load. */
export function createRevisionHash(): { add(bytes: Uint8Array): void; finish(): Revision } {
  const sum = createHash('sha256');
  return {
    add: (bytes) => void sum.update(bytes),
    finish: () => sum.digest('hex').slice(0, revisionHexDigits) as Revision,
  };
}
