import { fold } from './wanted.ts';

const words: readonly (readonly [number, string])[] = [
  [1, 'one un une ein eins eine einen einem einer'],
  [2, 'two deux zwei'],
  [3, 'three trois drei'],
  [4, 'four quatre vier'],
  [5, 'five cinq funf'],
  [6, 'six sechs'],
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

/** Every number in digits, as it stands and as what it may mean: `1,200` is 1200 or 1.2. */
export function numbersIn(text: string): { written: string; meanings: number[] }[] {
  const found = text.matchAll(/\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?/gu);
  return [...found].map(([written]) => ({ written, meanings: meaningsOf(written) }));
}

/** Numbers below a million that a text says in words, in English, French or German; of `twenty-four` 20, 24 and 4. */
export function numbersInWords(text: string): number[] {
  const said = (fold(text).match(/\p{L}+/gu) ?? []).filter((word) => !joining.has(word)).map(valueOf);
  return said.flatMap((_, start) => composedFrom(said, start));
}

const joining = new Set(['and', 'et', 'und']);

/** What one word says; in German that may be any number. */
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

/** `vierundzwanzig` */
function tensOf(word: string): number | undefined {
  const [, ones = '', tens = ''] = /^(.+?)und(.+ig)$/.exec(word) ?? [];
  const [one, ten] = [numberOfWord.get(ones), numberOfWord.get(tens)];
  return one === undefined || ten === undefined ? undefined : ten + one;
}

/** What the words from one on say, after each of them, as long as they belong to one number. */
function composedFrom(said: readonly (number | undefined)[], start: number): number[] {
  const found: number[] = [];
  let [thousands, rest] = [0, 0];
  for (let index = start; ; index += 1) {
    const number = said[index];
    const more = number === undefined || number === 1_000 ? null : joined(rest, number);
    if (number === 1_000 && thousands === 0) [thousands, rest] = [1_000 * (rest || 1), 0];
    else if (more === null) return found;
    else rest = more;
    found.push(thousands + rest);
  }
}

/** A number below a thousand and the word after it as one number; null when that begins another. */
function joined(before: number, number: number): number | null {
  const last = before % 100;
  if (before === 0) return number;
  if (number === 100) return before < 100 ? before * 100 : null;
  if (last === 4 && number === 20) return before - 4 + 80; // quatre-vingts
  const isTens = last >= 20 && last % 10 === 0 && number < 20;
  const isDix = last === 10 && number >= 7 && number <= 9; // dix-sept
  return isTens || isDix || (last === 0 && number < 100) ? before + number : null;
}

function meaningsOf(written: string): number[] {
  const decimal = Number(written.replace(',', '.'));
  const [, whole, fraction] = /^(\d{1,3}(?:[.,'’\s]\d{3})+)(?:[.,](\d+))?$/u.exec(written) ?? [];
  if (whole === undefined) return [decimal];
  const grouped = Number(`${whole.replaceAll(/\D/g, '')}.${fraction ?? 0}`);
  return Number.isNaN(decimal) ? [grouped] : [grouped, decimal];
}
