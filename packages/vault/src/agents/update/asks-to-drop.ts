import { detectLanguage, fold, splitClauses, splitSentences, statesFact } from '../../review/index.ts';

/**
 * Whether a user says that something need not be kept. Requires a clause that says only that, because “no”, “cancel” and
 * “remove” also occur in answers that say where it belongs. In doubt, the text is kept.
 */
export function asksToDrop(answer: string): boolean {
  if (answer.includes('?')) return false;
  const language = detectLanguage(answer);
  const clauses = splitSentences(answer)
    .flatMap((sentence) => (dropClause.test(wordsOf(sentence)) ? [sentence] : splitClauses(sentence)))
    .map((text) => ({ text, isDrop: dropClause.test(wordsOf(text)) }));
  const others = clauses.filter(({ isDrop }) => !isDrop);
  return (
    others.length < clauses.length &&
    others.every(({ text }) => !statesFact(text, language) && !keepWord.test(wordsOf(text)))
  );
}

/** The words of a clause, without case, accents and punctuation. */
function wordsOf(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}

/** Words of an answer that keeps a part, or says where it belongs. */
const keepWord =
  /\b(?:for|about|one|but|except|keep|file|put|move|save|store|belongs?|pour|concern\w+|mais|sauf|gard\w+|conserv\w+|mets|mettre|range\w*|class\w+|deplac\w+|aber|ausser|behalt\w*|leg\w?|speicher\w*|gehort|fur|wegen)\b/;

const before = `(?:(?:please|just|you|we|i|can|could|may|should|would|do|ok|okay|yes|then|so|it|that|this|is|was|'s|tu|vous|on|je|peux|pouvez|peut|veux|c'est|s'il te plait|s'il vous plait|stp|svp|oui|alors|a|du|sie|wir|ich|kannst|konnen|kann|bitte|ja|einfach|es|das|ist) )*`;
const object =
  "(?:it|this|that|them|these|those|all|everything|both|of|about|le|la|les|l'|ca|cela|tout|es|das|sie|alles|(?:the|this|that|le|la|l'|ce|cet|cette|den|die|diese|diesen) ?(?:item|note|matter|message|mail|email|text|question|thing|entry|input|file|document|element|texte|fichier|chose|eintrag|notiz|nachricht|frage|datei)s?)";
const after =
  "(?: (?:away|out|now|please|completely|entirely|anymore|any more|merci|thanks|danke|s'il te plait|stp|svp|weg|bitte|mehr))*";
const verb = `(?:drop|discard|dismiss|ignore|forget|delete|remove|skip|throw|cancel|laisse[rz]?|laissons|supprime[rz]?|jette[rz]?|jete[rz]?|abandonne[rz]?|annule[rz]?|efface[rz]?|enleve[rz]?|retire[rz]?|oublie[rz]?|losche?n?|verwirf|verwerfen|wirf|wegwerfen|geloscht|vergiss|vergessen)`;
const unneeded = [
  `${before}(?:${object} ?)*${verb}(?:(?: | ?l')?${object}| tomber| werden)*${after}`,
  "there(?: is|'s) nothing (?:here )?(?:to keep|worth keeping)",
  'nothing (?:here )?(?:to keep|worth keeping)',
  'never ?mind',
  'no thanks?(?: you)?',
  `(?:i |we )?(?:do not|don't|no longer) need ${object}${after}`,
  `${before}(?:not|no longer) (?:needed|relevant|interesting|interested|worth (?:it|keeping))${after}`,
  `no need(?: (?:for|of) ${object}| to keep ${object})?`,
  'non merci',
  "(?:c'est )?(?:inutile|sans objet)",
  '(?:a la )?poubelle',
  "(?:je |on |nous )?(?:n'en ai |n'en a |n'en avons )?(?:pas|plus) besoin(?: de (?:ca|cela))?",
  "(?:il )?(?:n'y a |y a )?rien a (?:garder|conserver|retenir|classer)",
  'weg damit',
  '(?:das )?(?:ist )?nicht (?:notig|mehr notig|wichtig)',
  'brauche? ich nicht(?: mehr)?',
  'kann weg',
  'nichts (?:davon )?(?:behalten|aufheben)',
];
const dropClause = new RegExp(`^(?:${unneeded.join('|')})$`);
