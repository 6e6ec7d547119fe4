import type { FoundSecret } from './found-secret.ts';
import { hasLettersAndDigits } from './random-text.ts';
import { isCode, isReference } from './references.ts';

const blank = String.raw`[ \t\u00a0\u202f]`;
const apostrophe = "['’]";
const owner = `(?:the|my|our|his|her|their|your|la|le|les|ma|mon|mes|sa|son|notre|nos|leur|ta|ton|votre) `;

/** What a code opens or unlocks. */
const englishPlace =
  'alarm(?: system)?|(?:front |back )?door|gate|garage|safe|lock ?box|key ?box|padlock|(?:bike )?lock|locker|suitcase|house|flat|apartment|office|phone|tablet|ipad|iphone|laptop|sim(?: card)?|(?:debit |credit |bank )?card|wi-?fi|keypad|voicemail|intercom|parking|storage unit';
const frenchPlace = `alarme|portail|portillon|porte(?: d${apostrophe}entr[ée]e)?|immeuble|entr[ée]e|hall|garage|coffre(?:-fort)?|cadenas|antivol|bo[îi]te [àa] cl[ée]s?|carte(?: bleue| bancaire| sim| visa)?|cb|t[ée]l[ée]phone|portable|tablette|ordinateur|box|wi-?fi|interphone|parking|casier|valise|messagerie|maison|appartement|g[îi]te|bureau`;

/** Words after which a short number is a secret. */
const codeNames = [
  `codes? (?:secret |confidentiel |personnel )?(?:(?:de|du|des|d${apostrophe}|pour) ?)?(?:${owner}|l${apostrophe})?(?:${frenchPlace})`,
  `codes? (?:pin|puk|secret|confidentiel|personnel|cvv|cvc|d${apostrophe}acc[èe]s|d${apostrophe}ouverture|de d[ée]verrouillage|de s[ée]curit[ée])`,
  `combinaison (?:du|de la|de l${apostrophe}|de mon|de) ?(?:${frenchPlace})`,
  `(?:(?:${englishPlace})(?:${apostrophe}s)?|access|security|unlock|pin|entry|secret) (?:code|pin|combination)`,
  `(?:code|combination|pin) (?:for|of|to|on) (?:${owner})?(?:${englishPlace}|building|entrance)`,
  `(?:${frenchPlace}|${englishPlace})(?:,|${blank}?:|${blank}-)? (?:le |the |son |its )?code`,
  'my pin',
  'pin',
  'digicode',
  'cryptogramme(?: visuel)?',
  'passcode',
  'cvv|cvc|puk',
].join('|');

const passwordNames = `mots? de passe|mdp|password|passphrase|passwd|pwd|pass|code wi-?fi|wi-?fi code`;

const nameStart = String.raw`(?<![\p{L}\p{N}_.$/-])`;
const nameEnd = String.raw`(?![\p{L}\p{N}_-])`;
const announcedCode = new RegExp(`${nameStart}(?:${codeNames})${nameEnd}`, 'giu');
const announcedPassword = new RegExp(`${nameStart}(?:${passwordNames})${nameEnd}`, 'giu');

/** A word of what the secret is for, as in `password of the router`. */
const nextWord = new RegExp(String.raw`${blank}([\p{L}\p{M}'’().&-]{1,20})`, 'uy');
const connector = String.raw`(${blank}{0,3}(?:[:=→]|->|=>)${blank}{0,3}|,?${blank}(?:is|est|c['’]est|sera)(?: (?:now|maintenant|désormais|le))?${blank}?:?${blank}|${blank})["'«“„\x60#*]{0,2}${blank}?`;
const units =
  '€|\\$|£|%|euros?|jours?|days?|mois|months?|ans|years?|heures?|hours?|fois|times|caract|characters?|chiffres|digits|lignes|lines|questions|personnes|people|kg|km|mm|cm|pages?|edition|[ée]dition|points|bits?|octets|bytes';
/** Not the start of a longer number, a date, an amount or a quantity. */
const numberEnd = String.raw`(?![\p{L}\p{N}_]|[-/:.,]\d|${blank}?(?:${units}))`;
const linkedCode = new RegExp(
  String.raw`${connector}(\d{2}(?:[-. ]\d{2}){1,3}|[A-Z]\d{3,6}|\d{2,6}[A-Z]\d{0,4}|\d{3,12})${numberEnd}`,
  'iuy',
);
const linkedPassword = new RegExp(
  String.raw`${connector}(\d{4,12}${numberEnd}|(?!\d+(?![^\s]))[^\s"'«»“”\x60<>|]{4,100})`,
  'iuy',
);

/** Finds short passwords and PINs that the words before them announce, in English and French. */
export function* findAnnouncedCodes(text: string): Generator<FoundSecret> {
  yield* findAnnounced(text, announcedCode, linkedCode, (value, announcement) =>
    isPin(value, announcement) ? (/pin/i.test(announcement.name) ? 'PIN' : 'code') : null,
  );
  yield* findAnnounced(text, announcedPassword, linkedPassword, (value, announcement) =>
    isPassword(value, announcement) ? 'password' : null,
  );
}

/** The words before a value. */
type Announcement = {
  name: string;
  words: readonly string[];
  /** Whether neither a sign nor a verb connects them with the value. */
  isDirect: boolean;
};

/** The kind of a secret; null if the value is none. */
type KindOf = (value: string, announcement: Announcement) => string | null;

function* findAnnounced(text: string, names: RegExp, linked: RegExp, kindOf: KindOf): Generator<FoundSecret> {
  for (const { 0: name, index } of text.matchAll(names)) {
    const found = findValue(text, { name, at: index + name.length }, linked, kindOf);
    if (found !== null) yield found;
  }
}

const maxWords = 6;

/** Tries what follows the name, then what follows each of the next words. */
function findValue(
  text: string,
  { name, at: from }: { name: string; at: number },
  linked: RegExp,
  kindOf: KindOf,
): FoundSecret | null {
  const words: string[] = [];
  for (let at = from; words.length <= maxWords;) {
    const match = matchAt(linked, text, at);
    if (match !== null) {
      const { 0: whole, 1: link = '', 2: run = '' } = match;
      const value = run.replace(/[,;.:)}\]\\]+$/, '');
      const isDirect = link.trim() === '';
      const kind = isReference(value) ? null : kindOf(value, { name, words, isDirect });
      const start = at + whole.length - run.length;
      if (kind !== null) return { start, end: start + value.length, kind };
      if (!isDirect) return null;
    }
    const next = matchAt(nextWord, text, at);
    if (next === null || eventWords.test(next[1] ?? '')) return null;
    words.push(next[1] ?? '');
    at += next[0].length;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Words that tell what happened to a secret, or that the text is about something else. */
const eventWords =
  /^(?:chang|modifi|expir|reset|renew|oubli|forg|perdu|lost|refus|envoy|sent|reçu|recei|arriv|redemand|demand|requir|valable|valid|depuis|since|until|avant|before|apr[èe]s|after|dans|within|must|doit|avoir|ha[sd]$|have|was$|were$|été$|entered|saisi|posé|en$|in$|sous$|panne|wrong|faux|last$|see$|voir$|manager|gestionnaire|field|champ|policy|hash|generator|form$|file$|fichier|rotation|request|review|length|strength|prompt|opener|diode)/i;

const prepositions =
  /^(?:de|du|des|d['’].*|pour|chez|sur|for|of|to|on|from|by|par|the|my|our|la|le|les|l['’].*|ma|mon|user|account|compte)$/i;

function isPin(value: string, { name, words, isDirect }: Announcement): boolean {
  // In lower case it is also a part of a connector, and a tree.
  if (name === 'pin' && isDirect) return false;
  const digits = value.replaceAll(/\D/g, '');
  if (digits.length < 3 || /^\d+(?:h|m|s|k|j|min|go|mo|gb|mb)\d*$/i.test(value)) return false;
  const [first] = words;
  if (first === undefined || !isDirect) return true;
  const isYear = /^(?:19|20)\d\d$/.test(value);
  return !isYear && (prepositions.test(first) || /^[\p{Lu}(]/u.test(first));
}

function isPassword(value: string, { name, words, isDirect }: Announcement): boolean {
  if (/^\d+$/.test(value)) return !isDirect;
  const isShort = value.length < (/[^\p{L}\p{N}]/u.test(value) ? 4 : 5);
  if (isShort || isCode(value) || isOrdinary(value)) return false;
  if (!hasLettersAndDigits(value) && !/\p{L}[!@#%^&*?$+~]\S*[\p{L}\p{N}]/u.test(value)) return false;
  if (!isDirect) return true;
  const isWord = name.toLowerCase() === 'pass' || words.some((word) => prepositions.test(word));
  return !isWord && words.length <= 2;
}

/** Dates, times, amounts, versions, addresses, paths, file names, and names of algorithms and programs. */
function isOrdinary(value: string): boolean {
  return ordinaryValues.some((pattern) => pattern.test(value));
}

const ordinaryValues: readonly RegExp[] = [
  /^[\d.,:/-]+[a-zà-ÿ]{0,5}$/i,
  /^(?:v|sha|md|argon|bcrypt|base|utf|aes|rsa)-?\d/i,
  /^1password$/i,
  /:\/\//,
  /^\S+@\S+\.[a-z]{2,}$/i,
  /^[\w.-]+(?:\/[\w.-]+)+$/,
  /^[\w-]+\.(?:md|txt|ts|js|py|json|ya?ml|html?|pdf|env|com|org|net|fr)$/i,
];
