import { findDates, findMonths } from './parse-dates.ts';
import {
  findNumbers,
  findNumberWords,
  findSpokenTimes,
  findSplitAmounts,
  findWholeNumberWords,
} from './parse-numbers.ts';
import { splitClauses, splitSentences } from './sentences.ts';
import { contentShare, contentTerms, detectLanguage, findCodes } from './word-overlap.ts';
import type { TextLanguage } from './word-overlap.ts';

export type CoverageOptions = {
  /** The text that came in. */
  input: string;
  /** What was written, and what was left out on purpose. */
  found: string;
  /** Texts in which a sentence may already be, in at most a few adjacent lines. */
  known?: readonly string[];
  /** Whether only sentences with a number are checked, because the rest are instructions to the agent. */
  onlyNumbers?: boolean;
};

/** A sentence with fewer content words says nothing by itself. */
const minContentTerms = 2;
/** Minimum share of the content words of a sentence that must be found. */
const minShare = 0.3;
const minKnownShare = 0.5;
/** The same for a sentence without a name or a distinctive number: tasks such as “buy 2 screws for the door” are alike. */
const minKnownShareOfAny = 0.9;
/** If all numbers of a sentence are found, fewer of its words need to be. */
const numberedShare = 0.4;
const maxShortTerms = 4;
/** Smaller numbers also occur in dates, so one of them proves little. */
const maxDayNumber = 31;
/** The number of adjacent lines in which a known sentence is searched. */
const windowLines = 3;

/**
 * The sentences of an input that are not in what was written. All numbers of a sentence must be found, one of its names, and
 * a share of its words; of a list, a word of every item. Words of another language cannot be compared; there only the numbers count.
 */
export function findUncoveredSentences({
  input,
  found,
  known = [],
  onlyNumbers = false,
}: CoverageOptions): string[] {
  const all = indexText(found);
  const sentences = splitSentences(input);
  const language = detectLanguage(input);
  const findOwnWords = createOwnWordsFinder(sentences);
  const describe = (sentence: string): Statement => ({
    sentence,
    stated: statedNumbers(sentence),
    names: onlyNumbers ? [] : findNames(sentence, language),
    ownWords: findOwnWords(sentence),
  });
  const missing = sentences.filter((sentence, index) => {
    if (statesNothing(sentence)) return false;
    const isRetracted = startsWithRetraction(sentence) || startsWithRetraction(sentences[index + 1] ?? '');
    const numbers = isRetracted ? [] : statedNumbers(sentence);
    const terms = contentTerms(sentence).size;
    if (isRetracted && terms < 8) return false;
    const isChecked =
      numbers.length > 0 || (!onlyNumbers && (hasName(sentence, language) || terms >= minContentTerms));
    const statement = { ...describe(sentence), stated: numbers };
    return isChecked && !isFound(statement, all, onlyNumbers ? 0 : minShare);
  });
  if (missing.length === 0 || known.length === 0) return missing;
  const windows = known.flatMap(toWindows);
  return missing.filter((sentence) => {
    const statement = describe(sentence);
    const spoken = detectLanguage(sentence);
    return !windows.some(
      (window) =>
        (window.language ?? spoken) === (spoken ?? window.language) &&
        isFound(statement, window, minKnownShare),
    );
  });
}

/** Whether a sentence states something that must not be lost: a number, a date, a name or a task. */
export function statesFact(sentence: string, language: TextLanguage | null): boolean {
  const isOnlyName = /^(?:\p{Lu}[\p{L}\p{M}.'’-]*\s*){1,4}$/u.test(sentence);
  if (isOnlyName || isMailHeader(sentence)) return false;
  return statedNumbers(sentence).length > 0 || dateOrTask.test(sentence) || hasName(sentence, language);
}

export function isMailHeader(line: string): boolean {
  return /^(?:from|to|cc|date|subject|de|à|objet|von|an|datum|betreff)\s?:/iu.test(line);
}

const dateOrTask =
  /\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|à partir de|jusqu'à|il faut|je dois|penser à|n'oublie|rappelle|acheter|appeler|payer|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|starting|until|i must|i need to|i have to|remember|don't forget|buy|call|pay|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|ich muss|kaufen|anrufen|bezahlen)\b/iu;

type IndexedText = {
  numbers: ReadonlySet<number>;
  /** Numbers as digits only. */
  digits: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  language: TextLanguage | null;
};

function indexText(text: string): IndexedText {
  return {
    numbers: numbersIn(text),
    digits: new Set(joinDigits(normalizeNumbers(text)).match(/\d+/g)),
    terms: contentTerms(text),
    language: detectLanguage(text),
  };
}

function toWindows(text: string): IndexedText[] {
  const lines = text.split('\n').map((line) => line.replace(/^\s*\d+\s*\| ?/, ''));
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [indexText(lines.slice(index, index + windowLines).join('\n'))],
  );
}

type Statement = {
  sentence: string;
  stated: readonly StatedNumber[];
  /** One of them must be found, because sentences about different people are often alike. */
  names: readonly string[];
  /** The words that no other sentence of the input has. */
  ownWords: string;
};

/** Returns a function that finds the words of a sentence that no other sentence has. */
function createOwnWordsFinder(sentences: readonly string[]): (sentence: string) => string {
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap((sentence) => [...contentTerms(sentence)]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return (sentence) => [...contentTerms(sentence)].filter((word) => counts.get(word) === 1).join(' ');
}

function isFound({ sentence, stated, names, ownWords }: Statement, text: IndexedText, min: number): boolean {
  const isStated = ({ written, values }: StatedNumber): boolean =>
    values.some((value) => text.numbers.has(value)) || text.digits.has(joinDigits(written));
  if (!stated.every(isStated)) return false;
  if (min === 0) return true;
  if (!findCodes(sentence).every((code) => text.terms.has(code))) return false;
  if (names.length > 0 && !names.some((name) => contentShare(name, text.terms) > 0)) return false;
  const words = contentTerms(sentence);
  // Numbers are the strongest sign; a short sentence around them is often reworded completely when it is filed.
  const isDistinctive =
    stated.length > 1 || stated.some(({ values }) => values.some((value) => value > maxDayNumber));
  if (isDistinctive && words.size <= maxShortTerms && min < minKnownShare) return true;
  const isForeign = text.language !== null && (detectLanguage(sentence) ?? text.language) !== text.language;
  if (isForeign) return true;
  const isAlike = !isDistinctive && names.length === 0;
  if (isAlike && contentShare(ownWords, text.terms) === 0) return false;
  const isKnown = min >= minKnownShare;
  const needed = isDistinctive ? min * numberedShare : isKnown && isAlike ? minKnownShareOfAny : min;
  return (
    contentShare(sentence, text.terms) >= needed &&
    listItems(sentence).every((item) => contentShare(item, text.terms) > 0)
  );
}

/** A sentence with at least this many short clauses is a list. */
const minListItems = 4;
const maxItemWords = 6;

/** The items of a sentence that is a list, such as “plumber on Thursday, key under the pot, buy salt”. */
function listItems(sentence: string): string[] {
  // What precedes a colon introduces the list.
  const clauses = splitClauses(sentence.replace(/^[^:,]*:\s/, ''));
  const isList =
    clauses.length >= minListItems && clauses.every((clause) => clause.split(/\s+/).length <= maxItemWords);
  const items = clauses.filter((clause) => !/\d/.test(clause));
  return isList ? items.filter((item) => contentTerms(item).size > 1) : [];
}

/** A question to the agent, a greeting, or an introduction of the following lines states nothing. */
function statesNothing(sentence: string): boolean {
  return (
    /[?:]\s*$/.test(sentence) ||
    /^(?:hi|hello|dear|bonjour|bonsoir|salut|merci|thanks|thank you|hallo|danke)\b[^.]{0,40}$/iu.test(
      sentence,
    )
  );
}

/** Speakers correct themselves: “the 4th. No, wait, …”. */
function startsWithRetraction(sentence: string): boolean {
  return /^(?:no|non|nein|wait|attends|moment|sorry|pardon|correction|korrektur)\b\s*[,.!:]/iu.test(sentence);
}

const namePattern = /(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}\p{M}]+/u;

function hasName(sentence: string, language: TextLanguage | null): boolean {
  return language !== 'de' && namePattern.test(sentence);
}

/** German capitalizes every noun, so names cannot be recognized there. */
function findNames(sentence: string, language: TextLanguage | null): string[] {
  if (language === 'de') return [];
  const found = [...sentence.matchAll(new RegExp(namePattern, 'gu'))].map(([name]) => name);
  // Days and months are resolved to dates.
  return found.filter(
    (name) => contentTerms(name.replace(/days$/, 'day')).size > 0 && findMonths(name).length === 0,
  );
}

type StatedNumber = { written: string; values: number[] };

/** Numbers that are resolved to a date when they are filed, and numbers that are said to be wrong. */
const unfiledNumbers = [
  /\b(?:dans|in|il y a|depuis|vor|seit|d'ici)\s+\d+\s+\p{L}+/giu,
  /\b\d+\s+(?:days?|weeks?|months?|years?)\s+ago\b/giu,
  /\b(?:not|pas|non|nicht|instead of|au lieu de|statt|j'avais dit|i said|ich hatte)\s+(?:[\p{L}'’]+\s+){0,3}?\d[\d\s.,×x:h]*/giu,
];

function statedNumbers(sentence: string): StatedNumber[] {
  const stated = unfiledNumbers.reduce(
    (text, pattern) => text.replaceAll(pattern, ' '),
    normalizeNumbers(sentence),
  );
  const numbers = findNumbers(stated).map(({ written, meanings }) => ({
    written,
    values: meanings.flatMap((value) => [value, ...findSpokenTimes(sentence, [value])]),
  }));
  const words = findWholeNumberWords(sentence).filter((value) => value >= minSpokenNumber);
  return [...numbers, ...words.map((value) => ({ written: String(value), values: [value] }))];
}

/** Smaller numbers in words are often part of an expression or resolved to a date. */
const minSpokenNumber = 21;

/** Separates the parts of a date such as 27.2.2026, which is no decimal number, and joins the groups of a phone number. */
function normalizeNumbers(text: string): string {
  return (
    text
      .replaceAll('’', "'")
      .replaceAll(/\b(\d{4})-(\d\d)-(\d\d)\b/g, '$1 / $2 / $3 ;')
      // The international form of a phone number.
      .replaceAll(/(?:\+|\b00)(?:33|49|44|41|32)[ .-]?(?:\(0\))?(?=[1-9])/g, '0')
      .replaceAll(/\b\d{2}(?:[ .-]\d{2}){3,}\b/g, joinDigits)
      .replaceAll(/\b(\d{1,2})[./](\d{1,2})[./](\d{2,4})\b/g, '$1 / $2 / $3')
      .replaceAll(/\b\d{2,4}(?:[ .-]\d{2,4}){2,}\b/g, joinDigits)
  );
}

function numbersIn(text: string): Set<number> {
  const numbers = findNumbers(normalizeNumbers(text)).flatMap(({ meanings }) => meanings);
  return new Set([
    ...numbers,
    ...numbers.flatMap(splitAmount),
    ...findSplitAmounts(text),
    ...findNumberWords(text),
    ...findMonths(text),
    ...findDates(text, 'possible').flatMap(({ year, month, day }) => [year ?? month, month, day]),
  ]);
}

/** The numbers of an amount that may be said as “4 euros 20”. */
function splitAmount(value: number): number[] {
  const cents = Math.round(value * 100);
  return cents % 100 === 0 ? [] : [Math.floor(value), cents % 100];
}

/** Removes separators between digits, so that differently grouped phone and account numbers are equal. */
function joinDigits(text: string): string {
  return text.replaceAll(/(?<=\d)[\s.\-/:](?=\d)/g, '');
}
