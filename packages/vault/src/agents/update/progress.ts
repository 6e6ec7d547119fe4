import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Incoming } from './incoming.ts';
import type { Position } from './portions.ts';

/** How far a long input was filed: kept after each portion, so that none is paid for twice. */
export type Progress = {
  /** Where the next portion begins. */
  next: Position;
  /** Of how many tokens portions are: the model has taken those. */
  size: number;
  /** What was said of each portion so far. */
  summaries: string[];
  incoming: Incoming;
  /** Whether all words until now are the person's own. */
  isPersons: boolean;
  /** What the transaction has staged. */
  staged: Uint8Array;
};

const version = 1;

export function packProgress(progress: Progress): Uint8Array {
  return gzipSync(serialize({ version, ...progress }), { level: 1 });
}

/** Null for what another version has packed: then it begins anew. */
export function unpackProgress(packed: Uint8Array | null): Progress | null {
  if (packed === null) return null;
  const unpacked = deserialize(gunzipSync(packed)) as Progress & { version: number };
  return unpacked.version === version ? unpacked : null;
}
