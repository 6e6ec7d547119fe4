/** The answers that a question names itself: its alternatives, or yes and no. */
export type QuestionChoices = { kind: 'alternatives'; texts: string[] } | { kind: 'yes-no' };

const maxChoiceCharacters = 80;

const prepositions =
  'for to in into with from by at on of about under pour dans à a de du des au aux chez avec vers sur par en sous'.split(
    ' ',
  );
const determiners = 'the a an this that my our le la les un une ce cet cette mon notre nos'.split(' ');
/** After these words, the rest of the question is only its alternatives. */
const openings = [
  /^(?:is|was) (?:it|this|that) /i,
  /^(?:est-ce|c[’']est|est-ce que c[’']est) /i,
  /^[^:?]{1,200}[^\s:] ?: /,
];
/** Alternatives that say nothing by themselves, as in “or not”, or that begin another question. */
const empty =
  /^(?:not|else|so|neither|both|should|shall|do|does|is|are|can|could|would|must|non|pas|bien|sinon|autre chose|faut|dois|doit|est)\b/i;
const yesNoOpening =
  /^(?:is|are|was|were|do|does|did|should|shall|can|could|may|has|have|will|would|est-ce que)\b|^[^?]*-(?:t-)?(?:il|elle|ils|elles|on|vous|je|nous)\b/i;
const questionWord =
  /\b(?:who|what|when|where|which|why|how|qui|quoi|quand|où|quel|quels|quelle|quelles|pourquoi|comment|combien|lequel|laquelle|or|ou)\b/i;

/**
 * Reads the possible answers from the question at the end of a review, for example “Is this for A or for B?”. Null if
 * there is any doubt about where an alternative begins or ends, because a wrong button is worse than none.
 */
export function parseChoices(review: string): QuestionChoices | null {
  const question = findQuestion(review);
  if (question === null) return null;
  const alternatives = parseAlternatives(question);
  if (alternatives !== null) return { kind: 'alternatives', texts: alternatives };
  return yesNoOpening.test(question) && !questionWord.test(question) ? { kind: 'yes-no' } : null;
}

/** The last paragraph, if it is a single question; without markup. */
function findQuestion(review: string): string | null {
  const paragraph =
    review
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  const text = paragraph
    .replace(/^#+ .*\n/, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(\*\*|__)(.*)\1$/, '$2')
    .trim();
  return /^[^#>|`*_?]+\?$/.test(text) ? text.replace(/\s*\?$/, '') : null;
}

function parseAlternatives(question: string): string[] | null {
  const [before, last, ...more] = question.split(/,? (?:or|ou) /i);
  if (before === undefined || last === undefined || more.length > 0) return null;
  const opening = openings.map((each) => each.exec(question)?.[0]).find((each) => each !== undefined);
  const first = opening === undefined ? cutAtParallel(before, last) : before.slice(opening.length);
  if (first === null) return null;
  const parts = [...splitList(first, last), last].map((each) => each.trim());
  const isUsable = (text: string): boolean =>
    text.length > 0 && text.length <= maxChoiceCharacters && !empty.test(text) && isBalanced(text);
  return parts.every(isUsable) && new Set(parts).size === parts.length ? parts : null;
}

/** The part of `before` that begins with the same preposition or determiner as `last`. */
function cutAtParallel(before: string, last: string): string | null {
  const word = firstWord(last);
  if (!prepositions.includes(word) && !determiners.includes(word)) return null;
  const words = before.split(' ');
  const at = words.findLastIndex((_, index) => firstWord(words.slice(index).join(' ')) === word);
  if (at < 1) return null;
  // “a note about the roof or the garden”: the alternative may begin earlier.
  if (determiners.includes(word) && prepositions.includes(firstWord(words[at - 1] ?? ''))) return null;
  const found = words.slice(at).join(' ');
  return found.includes(',') && !found.split(', ').every((part) => firstWord(part) === word) ? null : found;
}

/** Splits “for A, for B” into its alternatives; a comma inside of an alternative makes the text unusable. */
function splitList(text: string, last: string): string[] {
  const parts = text.split(', ');
  const isParallel = parts.every((part) => firstWord(part) === firstWord(last));
  const isPlainList = [...parts, last].every((part) => part.split(' ').length <= 3);
  return parts.length === 1 || isParallel || isPlainList ? parts : [''];
}

/** In lower case; an elided article counts as its full form. */
function firstWord(text: string): string {
  const word = text.trim().split(' ')[0]?.toLowerCase() ?? '';
  if (/^l[’']/.test(word)) return 'le';
  return /^d[’']/.test(word) ? 'de' : word;
}

function isBalanced(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return count(/\(/g) === count(/\)/g) && count(/[«“]/g) === count(/[»”]/g) && count(/"/g) % 2 === 0;
}
