import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';

/** About 10 ms of work, after which others get their turn. */
const pieceLength = 50_000;
/** The name of a secret is at most this far before it, and the end of a private key this far after its start. */
const lookBehind = 2_000;
const lookAhead = 16_000;

/** Like `findSecrets`, but yields to the event loop while it scans a long text. */
export async function findSecretsYielding(text: string): Promise<FoundSecret[]> {
  const all: FoundSecret[] = [];
  for (let from = 0; from < text.length; from += pieceLength) {
    const offset = Math.max(0, from - lookBehind);
    for (const { start, end, kind } of findSecrets(text.slice(offset, from + pieceLength + lookAhead))) {
      const found = { start: offset + start, end: offset + end, kind };
      const isInPiece = found.start >= from && found.start < from + pieceLength;
      if (isInPiece && found.start >= (all.at(-1)?.end ?? 0)) all.push(found);
    }
    if (from + pieceLength < text.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}
