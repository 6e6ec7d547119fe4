const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Yields all words at edit distance 1 from a normalized word: transpositions, deletions, substitutions and
 * insertions.
 */
export function* editsOfDistanceOne(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at += 1) {
    const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    if (here !== '' && after !== '' && after[0] !== here)
      yield `${before}${after.charAt(0)}${here}${after.slice(1)}`;
    if (here !== '') yield before + after;
    for (const letter of letters) {
      if (here !== '' && letter !== here) yield before + letter + after;
      yield before + letter + here + after;
    }
  }
}
