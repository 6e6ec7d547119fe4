import { withoutPlural } from './fold.ts';
import { isNumberWord } from './parse-numbers.ts';

/** Words are compared by their first letters, which inflection rarely changes; numbers are compared as a whole. */
const prefixLength = 5;
const minWordLength = 4;

/** The words that identify a text: numbers and longer words, ignoring case and accents; null if there are none. */
function distinctiveTerms(text: string): Set<string> | null {
  const found = termsOf(text, minWordLength);
  return found.size === 0 ? null : found;
}

function termsOf(text: string, minLength: number): Set<string> {
  return new Set(
    wordsOf(text).flatMap((word) => {
      if (/\p{N}/u.test(word)) return [word];
      return word.length >= minLength || !isLatin(word) ? [word.slice(0, prefixLength)] : [];
    }),
  );
}

function wordsOf(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);
}

/** The share of a text's distinctive words that another text contains; of all its words if none are distinctive. */
export function wordOverlap(text: string, other: string): number {
  const distinctive = distinctiveTerms(text);
  const terms = distinctive ?? termsOf(text, 1);
  if (terms.size === 0) return 1;
  const otherTerms = termsOf(other, distinctive === null ? 1 : minWordLength);
  return [...terms].filter((word) => otherTerms.has(word)).length / terms.size;
}

/** Minimum share of the input's words that must occur in the filed text. */
const minOverlap = 0.2;

export function isCoveredBy(text: string, other: string): boolean {
  return wordOverlap(text, other) >= minOverlap;
}

/**
 * The words of a text that carry meaning, by their first letters: no numbers, no words of one or two letters, no function
 * words. A name with digits, such as “RTX4090”, is compared as a whole.
 */
export function contentTerms(text: string): Set<string> {
  return new Set(weighContentTerms(text).keys());
}

/** The same with the length of each word, because long words say more; `letters` is how many first letters are compared. */
export function weighContentTerms(text: string, letters = prefixLength): Map<string, number> {
  return new Map(
    wordsOf(text)
      .filter(
        (word) =>
          !/^\p{N}/u.test(word) &&
          (word.length > 2 || !isLatin(word)) &&
          !functionWords.has(word) &&
          !isNumberWord(word),
      )
      .map((word) => [/\p{N}/u.test(word) ? word : withoutPlural(word).slice(0, letters), word.length]),
  );
}

/** Names with digits, such as “RTX4090”, which are the same in every language. */
export function findCodes(text: string): string[] {
  return [...contentTerms(text)].filter((term) => /\p{N}/u.test(term));
}

export type TextLanguage = 'en' | 'fr' | 'de';

const functionWordsOf: Record<TextLanguage, string> = {
  en: `the and for with that this from are was were has have had will would can could should not but you your our his her
    its their they them there then than when what which who how about also just been into some more very all any out get
    got now one she him did does done is it he we an of to in on at by be as or if so me my us up no do let says said
    please hello thanks thank hi dear regards still`,
  fr: `les des une avec pour dans que qui est sont pas plus mais elle lui nous vous ils elles leur leurs mes tes ses nos vos
    mon ton son notre votre cette ces cet été etait etaient etre avoir fait faire aussi tout tous toute toutes tres comme
    donc alors encore depuis sur par aux sans sous entre chez car quand dont cela ceci bien peu trop ont avait ete sera
    je tu il on le la de du et en au un ce se ne ma ta sa me te si ou y a deja puis bonjour merci salut bonsoir`,
  de: `der die das und mit fur ist sind nicht aber sie wir ihr ihre sein seine ein eine einen einem einer den dem des von zum
    zur bei auch noch nur wie was wer wenn dass hat habe haben wird werden kann war waren schon sehr alle ich du er es
    zu im am an auf aus um so hallo danke bitte`,
};
const functionWordSets = Object.fromEntries(
  Object.entries(functionWordsOf).map(([language, words]) => [language, new Set(wordsOf(words))]),
) as Record<TextLanguage, Set<string>>;
/** The share of one text's content words, by length, that the other text contains. */
export function contentShare(text: string, other: ReadonlySet<string>, letters = prefixLength): number {
  const terms = [...weighContentTerms(text, letters)];
  const sum = (all: typeof terms): number => all.reduce((total, [, length]) => total + length, 0);
  return terms.length === 0 ? 1 : sum(terms.filter(([word]) => other.has(word))) / sum(terms);
}

/** Words that are resolved to a date or a number when they are filed, and words that only introduce a statement. */
const resolvedWords = `today tomorrow yesterday tonight morning afternoon evening night week weeks month months year years day days
  next last already only note voice record first thing latest remind please
  monday tuesday wednesday thursday friday saturday sunday
  aujourd'hui demain hier apres-demain soir matin midi semaine semaines mois annee annees jour jours prochain prochaine prevu
  dernier derniere info note rappel rappelle premiere chose seulement ici voici ceci tard retenir noter mettre liste
  lundi mardi mercredi jeudi vendredi samedi dimanche
  heute morgen gestern ubermorgen abend woche wochen monat monate jahr jahre tag tage nachste nachsten letzte letzten
  euro euros dollar dollars pound pounds franken
  also other others same both autre autres meme memes aussi auch andere anderen beide
  erinnerung erinnere notiert sprachnotiz hier daran spatestens festhalten
  montag dienstag mittwoch donnerstag freitag samstag sonntag`;
const functionWords = new Set([
  ...Object.values(functionWordSets).flatMap((words) => [...words]),
  ...wordsOf(resolvedWords),
]);

/** The language of a text by its function words; null if there are too few to tell. */
export function detectLanguage(text: string): TextLanguage | null {
  const words = wordsOf(text);
  const counts = (Object.keys(functionWordSets) as TextLanguage[])
    .map((language) => ({
      language,
      count: words.filter((word) => functionWordSets[language].has(word)).length,
    }))
    .toSorted((a, b) => b.count - a.count);
  const [first, second] = counts;
  return first === undefined || first.count < 2 || first.count < 1.5 * (second?.count ?? 0)
    ? null
    : first.language;
}
