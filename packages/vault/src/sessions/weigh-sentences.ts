import { weekdayNames } from '../contract/index.ts';
import { findDates, fold } from '../review/index.ts';
import type { Sentence } from './sentences.ts';

/** How much a sentence says about what holds from now on: 2 for a decision, 1 for a next step or a date, 0 otherwise. */
export type Weight = 0 | 1 | 2;

/** In English, French and German, without accents. Other languages have no weight, so it must only decide an order. */
const decisions = [
  String.raw`decid\w*|decision\w*|agreed|chosen?|choos\w+|settled? on|(?:go|going|went|stick|sticking) with|from now on|instead of|rather than|no longer|won't|we(?:'ll| will| use| keep)|let's|(?:must|should) (?:not|never)|do(?:n't| not) use|always|never|remember`,
  String.raw`choisi\w*|retenu\w*|convenu\w*|(?:on|nous) (?:va|allons|utilis\w+|prend|prenons|gard\w+|part|partons|abandonn\w+|passe|passons)|desormais|dorenavant|plutot que|au lieu de|ne plus|toujours(?! pas)|jamais|retiens|rappelle-toi`,
  String.raw`entsch(?:ied|eid)\w*|beschl(?:oss|uss|iess|ieß)\w*|vereinbar\w*|festgelegt|gewahlt|wir (?:werden|nehmen|verwenden|nutzen|bleiben|machen|setzen)|ab (?:jetzt|sofort)|kunftig|statt(?:dessen)?|nicht mehr|immer(?! noch)|nie(?:mals)?|merk\w* dir`,
];

const plans = [
  String.raw`next(?: steps?)?|to[- ]?dos?|deadline|due|by (?:today|tomorrow|tonight|noon|then|the end|end of)|until|still open|plan(?:ned|s)?|must|needs? to|worth remembering`,
  String.raw`prochaine?s?|ensuite|a faire|echeance|d'ici|au plus tard|avant le|pour le|il faut|il faudra|doit|devons|prevu\w*|reste a`,
  String.raw`nachste[rnms]?|frist|fallig|bis (?:zum|heute|morgen|ende)|termin|mussen|muss|geplant|noch offen`,
  // Short names, such as "so" and "mar", are words as well.
  ...weekdayNames.flat().filter((name) => name.length > 4),
];

const decides = anyWord(decisions);
const plansAhead = anyWord(plans);
/** A list item that is a task which is not done. */
const openTask = /^\s*[-*+]\s+\[[ /]\]\s/;
const question = /[?？]["'”’»)\]]*\s*$/;

function anyWord(patterns: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\wß])(?:${patterns.join('|')})(?![\wß])`);
}

/** Whether some sentence of a text may decide something. */
export function mayDecide(text: string): boolean {
  return decides.test(fold(text));
}

export function weighText(text: string): Weight {
  if (question.test(text)) return 0;
  const folded = fold(text);
  if (decides.test(folded)) return 2;
  return openTask.test(text) || plansAhead.test(folded) || findDates(text, 'certain').length > 0 ? 1 : 0;
}

/**
 * Weighs the sentences of one speech. What follows a heading, or as a list a line that ends in a colon, weighs at least as much as that
 * line, and everything in a summary is worth keeping.
 */
export function weighSentences(sentences: readonly Sentence[], isSummary: boolean): Map<Sentence, Weight> {
  const weights = new Map<Sentence, Weight>();
  let ofHeading: Weight = 0;
  let ofList: Weight = 0;
  for (const sentence of sentences) {
    const isCode = sentence.kind === 'code';
    const own = isCode ? 0 : isSummary ? 2 : weighText(sentence.text);
    if (sentence.kind === 'heading') ofHeading = own;
    const inherited = sentence.kind === 'item' ? Math.max(ofHeading, ofList) : ofHeading;
    weights.set(sentence, isCode ? 0 : (Math.max(own, inherited) as Weight));
    if (sentence.kind !== 'item') ofList = /:\**\s*$/.test(sentence.text) ? own : 0;
  }
  return weights;
}
