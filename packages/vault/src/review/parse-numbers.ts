import { fold } from './fold.ts';

const words: readonly (readonly [number, string])[] = [
  [
    1,
    'one un une ein eins eine einen einem einer first premier premiere premiers premieres erste ersten erster',
  ],
  [2, 'two deux zwei second deuxieme deuxiemes zweite zweiten zweiter'],
  [3, 'three trois drei third troisieme troisiemes dritte dritten dritter'],
  [4, 'four quatre vier fourth quatrieme vierte vierten'],
  [5, 'five cinq funf fifth cinquieme funfte funften'],
  [6, 'six sechs sixth sixieme sechste'],
  [7, 'seven sept sieben'],
  [8, 'eight huit acht'],
  [9, 'nine neuf neun'],
  [10, 'ten dix zehn'],
  [11, 'eleven onze elf'],
  [12, 'twelve douze zwolf dozen douzaine dutzend'],
  [13, 'thirteen treize dreizehn'],
  [14, 'fourteen quatorze vierzehn'],
  [15, 'fifteen quinze funfzehn'],
  [16, 'sixteen seize sechzehn'],
  [17, 'seventeen siebzehn'],
  [18, 'eighteen achtzehn'],
  [19, 'nineteen neunzehn'],
  [20, 'twenty vingt vingts zwanzig'],
  [30, 'thirty trente dreissig dreißig'],
  [40, 'forty quarante vierzig'],
  [50, 'fifty cinquante funfzig'],
  [60, 'sixty soixante sechzig'],
  [70, 'seventy septante siebzig'],
  [80, 'eighty achtzig'],
  [90, 'ninety nonante neunzig'],
  [100, 'hundred hundreds cent cents hundert'],
  [1000, 'thousand thousands mille tausend'],
];
const numberOfWord = new Map(
  words.flatMap(([number, names]) => names.split(' ').map((name) => [name, number] as const)),
);

export function isNumberWord(word: string): boolean {
  return numberOfWord.has(word);
}

/** Every number written in digits, as written and with its possible values: `1,200` is 1200 or 1.2, `24k` is 24 or 24000. */
export function findNumbers(text: string): { written: string; meanings: number[] }[] {
  const found = text.matchAll(
    /(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:\s?(k|millions?|mio)(?!\p{L}|\d))?/giu,
  );
  return [...found].map(([, written = '', unit]) => {
    const values = possibleValues(written);
    const factor = unit === undefined ? 1 : unit.toLowerCase() === 'k' ? 1_000 : 1_000_000;
    return {
      written,
      meanings: factor === 1 ? values : values.flatMap((value) => [value, Math.round(value * factor)]),
    };
  });
}

/** Amounts such as “4 euros 20” and “3€50”. */
export function findSplitAmounts(text: string): number[] {
  const found = text.matchAll(
    /(\d+)\s?(?:€|\$|£|euros?|eur|chf|francs?|franken|dollars?|pounds?)\s?(\d{2})(?!\d)/giu,
  );
  return [...found].map(([, whole, cents]) => Number(`${whole}.${cents}`));
}

const halfPast = /(?<!\p{L})(?:et demie?|half past|halb)(?!\p{L})/u;
const quarters = /(?<!\p{L})(?:quart|quarter|viertel|dreiviertel)(?!\p{L})/u;
const beforeTheHour = /(?<!\p{L})(?:moins (?:le )?quart|quarter to|viertel vor|dreiviertel|halb)(?!\p{L})/u;
const noon = /(?<!\p{L})(?:midi|noon|mittags?)(?!\p{L})/u;
const afternoon =
  /(?<!\p{L})(?:soir|apres-midi|afternoon|evening|tonight|nachmittags?|abends?)(?!\p{L})|\dp\.?m\b|\bp\.?m\b/u;

/** Hours and minutes that a text says in words, such as “half past eight” or “8 h du soir”. `hours` are the numbers in the text. */
export function findSpokenTimes(text: string, hours: readonly number[]): number[] {
  const said = fold(text);
  const some = hours.filter((hour) => Number.isInteger(hour) && hour > 0 && hour <= 12);
  const before = beforeTheHour.test(said) ? some.map((hour) => hour - 1) : [];
  return [
    ...(halfPast.test(said) ? [30] : []),
    ...(quarters.test(said) ? [15, 45] : []),
    ...(noon.test(said) ? [12] : []),
    ...before,
    ...(afternoon.test(said) ? [...some, ...before].map((hour) => hour + 12) : []),
  ];
}

/** Numbers below a million written in words, in English, French or German; for `twenty-four`: 20, 24 and 4. */
export function findNumberWords(text: string): number[] {
  const values = wordValues(text);
  return values.flatMap((_, start) => composeNumbers(values, start));
}

/** The same without the parts of a number; for `twenty-four`: 24. */
export function findWholeNumberWords(text: string): number[] {
  const values = wordValues(text);
  const found: number[] = [];
  for (let start = 0; start < values.length; start += 1) {
    const parts = composeNumbers(values, start);
    found.push(...parts.slice(-1));
    start += Math.max(0, parts.length - 1);
  }
  return found;
}

const conjunctions = new Set(['and', 'et', 'und']);

/** The value of each word of a text; undefined for words that are no number. */
function wordValues(text: string): (number | undefined)[] {
  return (fold(text).match(/\p{L}+/gu) ?? []).filter((word) => !conjunctions.has(word)).map(valueOf);
}

/** The value of one word. In German, every number below a million is one word. */
function valueOf(word: string): number | undefined {
  return numberOfWord.get(word) ?? compound(word, 'tausend') ?? compound(word, 'hundert') ?? tensOf(word);
}

function compound(word: string, mark: 'tausend' | 'hundert'): number | undefined {
  const [before, after] = word.split(mark, 2);
  if (before === undefined || after === undefined) return undefined;
  const times = before === '' ? 1 : valueOf(before);
  const rest = after === '' ? 0 : valueOf(after.replace(/^und/, ''));
  const unit = mark === 'tausend' ? 1_000 : 100;
  return times === undefined || rest === undefined ? undefined : times * unit + rest;
}

/** Parses a German number of tens and ones, such as `vierundzwanzig`. */
function tensOf(word: string): number | undefined {
  const [, ones = '', tens = ''] = /^(.+?)und(.+ig)$/.exec(word) ?? [];
  const [one, ten] = [numberOfWord.get(ones), numberOfWord.get(tens)];
  return one === undefined || ten === undefined ? undefined : ten + one;
}

/**
 * Reads words from `start` on as one number, and returns its value after each word until a word does not belong to it.
 */
function composeNumbers(values: readonly (number | undefined)[], start: number): number[] {
  const found: number[] = [];
  let [thousands, rest] = [0, 0];
  for (let index = start; ; index += 1) {
    const number = values[index];
    const more = number === undefined || number === 1_000 ? null : combine(rest, number);
    if (number === 1_000 && thousands === 0) [thousands, rest] = [1_000 * (rest || 1), 0];
    else if (more === null) return found;
    else rest = more;
    found.push(thousands + rest);
  }
}

/** Combines a number below a thousand with the next word; null when that word starts another number. */
function combine(before: number, number: number): number | null {
  const last = before % 100;
  if (before === 0) return number;
  if (number === 100) return before < 100 ? before * 100 : null;
  if (last === 4 && number === 20) return before - 4 + 80; // quatre-vingts
  const isTens = last >= 20 && last % 10 === 0 && number < 20;
  const isDix = last === 10 && number >= 7 && number <= 9; // dix-sept
  return isTens || isDix || (last === 0 && number < 100) ? before + number : null;
}

function possibleValues(written: string): number[] {
  const decimal = Number(written.replace(',', '.'));
  const [, whole, fraction] = /^(\d{1,3}(?:[.,'’\s]\d{3})+)(?:[.,](\d+))?$/u.exec(written) ?? [];
  if (whole === undefined) return [decimal];
  const grouped = Number(`${whole.replaceAll(/\D/g, '')}.${fraction ?? 0}`);
  return Number.isNaN(decimal) ? [grouped] : [grouped, decimal];
}
