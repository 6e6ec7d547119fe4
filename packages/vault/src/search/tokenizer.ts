import { lastSegment } from '../contract/index.ts';

/** The normalized words of a text: lower case, without accents. */
export function tokenize(text: string): string[] {
  return normalizeText(text).match(word) ?? [];
}

/** Lower case, without accents, ligatures and ß, so that `décision`, `Decision` and `DÉCISION` are equal. */
export function normalizeText(text: string): string {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const lower = text.toLowerCase();
  const plain = lower.replaceAll(/[\u00df-\u024f]/g, plainLetter);
  // Only for Latin letters: in other scripts a combining mark makes a different letter.
  return /\p{M}|[\u1e00-\u1eff]/u.test(plain)
    ? plain
        .normalize('NFD')
        .replaceAll(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
        .normalize('NFC')
    : plain;
}

const plainLetters = new Map<string, string>([
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['ß', 'ss'],
]);

/** Removes the accent from a letter. */
function plainLetter(letter: string): string {
  const known = plainLetters.get(letter);
  if (known !== undefined) return known;
  const plain = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
  plainLetters.set(letter, plain);
  return plain;
}

/** Chinese, Japanese and Korean are written without spaces, so each character counts as a word. */
export const cjkCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const word = new RegExp(`${cjkCharacter.source}|(?:(?!${cjkCharacter.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Longest first, so that `-ements` is not mistaken for `-s`. */
const suffixes = (
  'issements issement ements ations ement ation aient iques ments euses ings ives eurs euse ique ment ants ait ais ant ' +
  'ent ers ing ive eur ees ies ee er ed es ez ie if ly s x e y'
).split(' ');

/** A rough stem for English and French words. */
export function stemTerm(folded: string): string {
  if (folded.length <= 3 || /\d/.test(folded)) return folded;
  const ending = suffixes.find((each) => folded.length - each.length >= 4 && folded.endsWith(each));
  const stem = ending === undefined ? folded : folded.slice(0, -ending.length);
  return stem.replace(/(.)\1$/, '$1');
}

/** The words that carry meaning; all words if none does. */
export function dropStopWords(words: readonly string[]): readonly string[] {
  const isGerman = words.some((each) => germanStopWords.has(each));
  const isDropped = (each: string): boolean =>
    stopWords.has(each) || germanStopWords.has(each) || (isGerman && ambiguousGermanStopWords.has(each));
  const kept = words.filter((each) => !isDropped(each));
  return kept.length > 0 ? kept : words;
}

/** English and French words that carry no meaning in a question. */
const stopWords: ReadonlySet<string> = new Set(
  tokenize(
    `a about after all also am an and any are as at be been before being but by can could did do does doing done for
    from had has have he her his how i if in into is it its many me more most much my not of on or our she should so
    some such than that the their them then there these they this those to us was we were what when where which who
    whom whose why will with would you your
    à ai as au aussi aux avait avant avec avoir c ce ces cet cette combien comme comment d dans de des dont du elle
    elles en entre es est et étaient était été être êtes eux fait il ils j je l la laquelle le lequel les lesquelles
    lesquels leur leurs lors lui m ma mais me mes mon n ne nos notre nous on ont ou où par pas plus pour pourquoi qu
    quand que quel quelle quelles quels qui quoi s sa sans se ses si sommes son sont suis sur t ta te tes toi ton très
    tu un une vos votre vous y`,
  ),
);

const germanStopWords: ReadonlySet<string> = new Set(
  tokenize(
    `aber als auch auf aus bei beim damit dann das dass davon dazu dem denn der deren dessen diese diesem diesen dieser
    dieses doch durch ein eine einem einen einer eines er gibt habe haben hatte hatten ich ihm ihn ihr ihre ihrem ihren
    ihrer im ist jede jedem jeden jeder jedes kann kein keine keinen können könnte könnten konnte konnten mich mir muss
    müssen musste nach nicht noch nur ob oder ohne sehr seine seinem seinen seiner seit sich sie sind soll sollen sollte
    sowie um und uns unser unsere unter viele vom vor wann warum weil welche welchem welchen welcher welches wem wen
    wenn wer werden wessen wie wieso wird wo wodurch wofür wogegen woher womit woran worauf woraus worden worin worüber
    wovon wozu wurde wurden zu zum zur zwischen`,
  ),
);

/** They are other words in English or French, so they are dropped only with words that are German. */
const ambiguousGermanStopWords: ReadonlySet<string> = new Set(
  tokenize('ab bin bis da den dies die du für gab hat hier ins man mit sein über von wäre war waren wir'),
);

/** The name of a note as normalized words, so that `meeting-notes.md` and “Meeting notes” are the same. */
export function fileNameWords(path: string): string {
  return tokenize(lastSegment(path).replace(/\.[^.]+$/, '')).join(' ');
}
