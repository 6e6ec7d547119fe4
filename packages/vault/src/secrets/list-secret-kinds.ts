import { findSecrets } from './find-secrets.ts';

/** About 10 ms of work, after which others get their turn. */
const pieceLength = 50_000;

/** Lists the kinds of secrets that a text seems to contain, each once. Yields to the event loop while it scans a long text. */
export async function listSecretKinds(text: string): Promise<string[]> {
  const kinds = new Set<string>();
  for (let start = 0; start < text.length;) {
    const end = findPieceEnd(text, start);
    for (const { kind } of findSecrets(text.slice(start, end))) kinds.add(kind);
    start = end;
    if (start < text.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return [...kinds];
}

/** Pieces end at a line break if there is one, because almost no secret spans lines. */
function findPieceEnd(text: string, start: number): number {
  if (text.length - start <= pieceLength) return text.length;
  const lineEnd = text.lastIndexOf('\n', start + pieceLength);
  return lineEnd > start ? lineEnd + 1 : start + pieceLength;
}
