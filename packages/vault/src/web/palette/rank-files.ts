import { normalizeText } from './normalize-text.ts';
import type { TreeNode } from '../tree/build-tree.ts';

/** Shorter words are in almost every path, letter by letter. */
const minFuzzyLetters = 3;

/**
 * The files whose path contains every term, ordered by matches in their name, then by length. After them, the files whose path
 * contains the letters of every term in this order, such as `tidestate` in `tidewatch/state.md`; few long pieces come first.
 */
export function rankFiles(files: readonly TreeNode[], query: string, limit: number): TreeNode[] {
  const words = normalizeText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored: { node: TreeNode; score: number }[] = [];
  for (const node of files) {
    const score = scorePath(normalizeText(node.path), normalizeText(node.name), words);
    if (score !== null) scored.push({ node, score });
  }
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ node }) => node);
}

function scorePath(path: string, name: string, words: readonly string[]): number | null {
  if (words.every((word) => path.includes(word))) {
    const inName = words.filter((word) => name.includes(word)).length;
    const isStart = words.some((word) => name.startsWith(word));
    return inName * 100 + Number(isStart) * 50 - path.length / 10;
  }
  const pieces = words.map((word) => (path.includes(word) ? 1 : countPieces(path, word)));
  if (pieces.some((count) => count === null)) return null;
  return -1_000 - pieces.reduce((sum: number, count) => sum + (count ?? 0), 0) * 10 - path.length / 10;
}

/** Into how many pieces a word falls if its letters are found in the path in order; null if they are not. */
function countPieces(path: string, word: string): number | null {
  if (word.length < minFuzzyLetters) return null;
  let pieces = 0;
  let at = 0;
  for (let index = 0; index < word.length;) {
    const length = measurePiece(path, word, index, at);
    if (length === 0) return null;
    at = path.indexOf(word.slice(index, index + length), at) + length;
    index += length;
    pieces += 1;
  }
  // More pieces than pairs of letters are a coincidence.
  return pieces <= word.length / 2 ? pieces : null;
}

/** The length of the longest start of the rest of the word that the rest of the path contains. */
function measurePiece(path: string, word: string, index: number, at: number): number {
  let length = 0;
  while (index + length < word.length && path.includes(word.slice(index, index + length + 1), at))
    length += 1;
  return length;
}
